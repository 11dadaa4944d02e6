#pragma once

#include "widgets/docks/functions/function_lines.h"

#include <QAbstractTableModel>

#include <memory>

namespace helio {

/// Lines of functions, or of what they are grouped by, as they are shown: filtered and in the order asked for.
class FunctionModel : public QAbstractTableModel {
    Q_OBJECT

public:
    /// Behind the last one follow, for each event beside: EventSelf, EventTotal, EventRatio.
    /// From TotalTime on they are of calls alone: of those that lie in the range as a whole, but for TotalTime.
    enum Column {
        Self,
        Total,
        Amount,
        Samples,
        Command,
        Module,
        Symbol,
        Place,
        TotalTime,
        Least,
        Mean,
        Median,
        P99,
        Most,
        OnCpu,
        ColumnCount
    };
    enum EventColumn { EventSelf, EventTotal, EventRatio, EventColumnCount };
    static constexpr int columnOf(std::size_t event, EventColumn column) { return ColumnCount + int(event) * EventColumnCount + column; }
    static constexpr int ShareRole = Qt::UserRole; ///< How full a cell's bar is: 0 to 1. None: it has none.
    struct Order {
        int column = Self;
        bool isDescending = true;
    };

    using QAbstractTableModel::QAbstractTableModel;

    /// The order of the rows that pass; off the UI thread for large tables.
    static std::vector<std::uint32_t> arranged(const FunctionLines& lines, Order order, const QString& filter);

    void setLines(std::shared_ptr<const FunctionLines> lines, std::vector<std::uint32_t> rows);
    const std::shared_ptr<const FunctionLines>& lines() const { return m_lines; } ///< Null: none.
    const FunctionRow& line(int row) const { return m_lines->table.rows[m_rows[std::size_t(row)]]; }
    /// The longest call of a row's function. Null: it is of no calls, or none lies in the range as a whole.
    const Segment* longestOf(int row) const;
    /// Of lines that are functions or source lines.
    const SampledFunction& functionOf(int row) const { return m_lines->table.functions[static_cast<std::size_t>(line(row).function)]; }
    int find(const SampledFunction& function) const; ///< The first row of the same function; -1: none.
    Order order() const { return m_order; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    void sort(int column, Qt::SortOrder order) override;

signals:
    void orderChanged(); ///< Rows in another order are wanted.

private:
    QVariant shareOf(const FunctionRow& row, int column) const;
    QString textOf(const FunctionRow& row, int column) const;
    QString textBeside(int row, int column) const;
    QString textOfCalls(int row, int column) const;
    QString tipOf(int row, int column) const;
    QString titleOf(int column) const;

    std::shared_ptr<const FunctionLines> m_lines;
    std::vector<std::uint32_t> m_rows; ///< Of the table, as shown.
    Order m_order;
};

} // namespace helio
