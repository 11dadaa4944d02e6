#pragma once

#include "widgets/controls/column_model.h"
#include "widgets/docks/functions/function_lines.h"

#include <memory>

namespace helio {

/// Table with filter and sorting; its rows are functions or, if grouped, e.g. modules or threads. The item of a row is an index into the
/// rows of a FunctionTable.
class FunctionModel : public ColumnModel<std::uint32_t> {
    Q_OBJECT

public:
    /// Columns of the table. The columns TotalTime to OnCpu are only shown for calls; all of them except TotalTime only count calls that
    /// are entirely in the range. Columns from ColumnCount on are three for each event in FunctionChoices::events: EventSelf, EventTotal
    /// and EventRatio.
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
    /// Role of the filled fraction of the cell's bar, 0 to 1; an invalid QVariant for cells without a bar.
    static constexpr int ShareRole = Qt::UserRole;
    struct Order {
        int column = Self;
        bool isDescending = true;
    };

    FunctionModel() { setLines(nullptr, {}); }

    /// Returns the indexes of the rows that match the filter, in sorted order.
    /// Threads: any; not the UI thread for large tables.
    static std::vector<std::uint32_t> arrangeRows(const FunctionLines& lines, Order order, const QString& filter);

    void setLines(std::shared_ptr<const FunctionLines> lines, std::vector<std::uint32_t> rows);
    const std::shared_ptr<const FunctionLines>& lines() const { return m_lines; } ///< Shown contents; nullptr if there are none.
    const FunctionRow& line(int row) const { return m_lines->table.rows[ColumnModel::line(row)]; }
    /// Returns the longest call of the function in a row; nullptr if no call is entirely in the range.
    const Segment* findLongestCall(int row) const;
    /// Returns the function of a row. Requires a row with a function or a source line.
    const SampledFunction& functionOf(int row) const { return m_lines->table.functions[static_cast<std::size_t>(line(row).function)]; }
    int find(const SampledFunction& function) const; ///< First row with the function; -1 if there is none.
    Order order() const { return m_order; }

    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    void sort(int column, Qt::SortOrder order) override;

signals:
    void orderChanged(); ///< Emitted when the user chose another sort order.

private:
    std::shared_ptr<const FunctionLines> m_lines;
    Order m_order;
};

} // namespace helio
