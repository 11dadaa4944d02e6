#pragma once

#include "widgets/controls/column_model.h"
#include "widgets/docks/functions/function_lines.h"

#include <memory>

namespace helio {

/// A table of functions, or of what they are grouped by, filtered and sorted. Its lines are indices in the rows of a FunctionTable.
class FunctionModel : public ColumnModel<std::uint32_t> {
    Q_OBJECT

public:
    /// Columns after ColumnCount: EventSelf, EventTotal and EventRatio of each event shown beside. Columns from TotalTime on exist for
    /// calls only; all but TotalTime count only calls that lie entirely in the range.
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
    static constexpr int ShareRole = Qt::UserRole; ///< Filled share of the cell's bar, 0 to 1; an invalid QVariant for cells without a bar.
    struct Order {
        int column = Self;
        bool isDescending = true;
    };

    FunctionModel() { setLines(nullptr, {}); }

    /// Returns the indices of the rows that pass the filter, sorted.
    /// Threads: any; not the UI thread for large tables.
    static std::vector<std::uint32_t> arrangeRows(const FunctionLines& lines, Order order, const QString& filter);

    void setLines(std::shared_ptr<const FunctionLines> lines, std::vector<std::uint32_t> rows);
    const std::shared_ptr<const FunctionLines>& lines() const { return m_lines; } ///< nullptr if there are no lines.
    const FunctionRow& line(int row) const { return m_lines->table.rows[ColumnModel::line(row)]; }
    /// Returns the longest call of a row's function; nullptr if it has no calls or none lies entirely in the range.
    const Segment* findLongestCall(int row) const;
    /// Requires a line that is a function or a source line.
    const SampledFunction& functionOf(int row) const { return m_lines->table.functions[static_cast<std::size_t>(line(row).function)]; }
    int find(const SampledFunction& function) const; ///< First row of the function; -1 if not found.
    Order order() const { return m_order; }

    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    void sort(int column, Qt::SortOrder order) override;

signals:
    void orderChanged(); ///< The user asked for another order of rows.

private:
    std::shared_ptr<const FunctionLines> m_lines;
    Order m_order;
};

} // namespace helio
