#pragma once

#include "core/query/function_table.h"

#include <QAbstractTableModel>

#include <memory>

namespace helio {

/// A function table as it is shown: filtered and in the order asked for.
class FunctionModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Self, Total, Amount, Samples, Command, Module, Symbol, Place, ColumnCount };
    static constexpr int ShareRole = Qt::UserRole; ///< How full a cell's bar is: 0 to 1. None: it has none.
    struct Order {
        Column column = Self;
        bool isDescending = true;
    };

    using QAbstractTableModel::QAbstractTableModel;

    /// The order of the rows that pass; off the UI thread for large tables.
    static std::vector<std::uint32_t> arranged(const FunctionTable& table, WeightBy by, Order order, const QString& filter);

    /// `kind`: of the samples.
    void setTable(std::shared_ptr<const FunctionTable> table, WeightBy by, const SampleKind& kind, std::vector<std::uint32_t> rows);
    const FunctionRow& line(int row) const { return m_table->rows[m_rows[std::size_t(row)]]; }
    const SampledFunction& functionOf(int row) const { return m_table->functions[static_cast<std::size_t>(line(row).function)]; }
    int find(const std::string& name, const std::string& module) const; ///< The first row of a function; -1: none.
    Order order() const { return m_order; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

signals:
    void orderChanged(); ///< Rows in another order are wanted.

private:
    QVariant shareOf(const FunctionRow& row, int column) const;
    QString textOf(const FunctionRow& row, int column) const;

    std::shared_ptr<const FunctionTable> m_table;
    WeightBy m_by = WeightBy::Samples;
    SampleKind m_kind;
    std::vector<std::uint32_t> m_rows; ///< Of the table, as shown.
    Order m_order;
};

} // namespace helio
