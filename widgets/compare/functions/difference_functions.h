#pragma once

#include "core/compare/difference_steps.h"
#include "widgets/compare/difference/difference_model.h"
#include "widgets/controls/column_model.h"
#include "widgets/controls/table_copy.h"

namespace helio {

/// Table model of a comparison's functions: by own time or including callees, filtered and sorted.
class DifferenceFunctions : public ColumnModel<const FunctionDifference*>, public CsvModel {
    Q_OBJECT

public:
    enum Column { Function, A, B, Difference, Ratio, Z, ColumnCount };
    enum Role { StepRole = Qt::UserRole, ModuleRole };

    /// Initially sorted by difference. Descending order has the largest absolute change first, ascending order the largest decrease.
    DifferenceFunctions();

    void setDifference(const DifferenceResult& shown);
    void setTotals(bool areTotals);
    void setFilter(const QString& filter);

    const SampledFunction& functionOf(int row) const { return functionOf(*line(row)); }
    const ComparedSum& sumOf(int row) const { return sumOf(*line(row)); }
    int find(const SampledFunction& function) const; ///< Row with the function; -1 if it is not shown.
    /// Returns all rows as CSV, with times in ns.
    QString csv() const override;

    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    void list();
    const SampledFunction& functionOf(const FunctionDifference& it) const
    {
        return m_tree->functions[static_cast<std::size_t>(it.function)];
    }
    const ComparedSum& sumOf(const FunctionDifference& it) const { return m_areTotals ? it.total : it.self; }
    double a(const FunctionDifference& it) const { return sumOf(it).scaledA(m_tree->scale); }
    double b(const FunctionDifference& it) const { return sumOf(it).scaledB(m_tree->scale); }
    double z(const FunctionDifference& it) const { return sumOf(it).z(m_tree->scale); }
    QString changeText(const FunctionDifference& it) const;

    std::shared_ptr<const DifferenceTree> m_tree; ///< Tree of the comparison; nullptr if there is nothing to show.
    std::shared_ptr<const std::vector<FunctionDifference>> m_functions;
    DifferenceUnit m_unit;
    DifferenceSteps m_steps;
    double m_largest = 0; ///< Largest amount in the table.
    bool m_areTotals = false;
};

} // namespace helio
