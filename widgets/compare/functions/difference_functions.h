#pragma once

#include "core/compare/difference_steps.h"
#include "widgets/compare/difference/difference_model.h"
#include "widgets/controls/table_copy.h"

#include <QAbstractTableModel>

namespace helio {

/// Table model of the functions of a comparison: by own time or with callees, filtered and sorted.
class DifferenceFunctions : public QAbstractTableModel, public CsvModel {
    Q_OBJECT

public:
    enum Column { Function, A, B, Difference, Ratio, Z, ColumnCount };
    enum Role { StepRole = Qt::UserRole, ModuleRole };

    using QAbstractTableModel::QAbstractTableModel;

    void setDifference(const DifferenceResult& shown);
    void setTotals(bool areTotals);
    bool areTotals() const { return m_areTotals; }
    void setFilter(const QString& text);

    const SampledFunction& functionOf(int row) const;
    const ComparedSum& sumOf(int row) const;
    int find(const SampledFunction& function) const; ///< Row of the same function; -1 if it is not shown.
    /// Returns all rows as comma-separated values, times in ns.
    QString csv() const override;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// Sorting by difference: descending puts the largest absolute change first, ascending the largest decrease.
    void sort(int column, Qt::SortOrder order) override;

private:
    void arrange();
    QString textOf(const ComparedSum& sum, const SampledFunction& function, int column) const;
    const ComparedSum& sumOf(const FunctionDifference& it) const { return m_areTotals ? it.total : it.self; }
    double keyOf(const FunctionDifference& it) const;

    std::shared_ptr<const DifferenceTree> m_tree; ///< nullptr if there is nothing to show.
    std::shared_ptr<const std::vector<FunctionDifference>> m_functions;
    DifferenceUnit m_unit;
    DifferenceSteps m_steps;
    std::vector<std::uint32_t> m_rows; ///< Indices into m_functions in the order of rows.
    double m_largest = 0; ///< Largest amount in the table.
    QString m_filter;
    Column m_column = Difference;
    bool m_isDescending = true;
    bool m_areTotals = false;
};

} // namespace helio
