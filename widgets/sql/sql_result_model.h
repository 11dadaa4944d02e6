#pragma once

#include "core/query/rows/rows.h"
#include "core/sql/schema.h"
#include "widgets/controls/column_model.h"
#include "widgets/controls/line_delegate.h"
#include "widgets/controls/table_copy.h"
#include "widgets/sql/sql_result.h"
#include "widgets/time/time_format.h"

#include <optional>

class QTreeView;

namespace helio {

/// Table of a query's result. A line is the index of a row of the result.
/// Threads: UI thread.
/// Cost: changes of the filter and of the order take time proportional to the number of values.
class SqlResultModel : public ColumnModel<std::uint32_t>, public CsvModel {
    Q_OBJECT

public:
    /// Sets the result; nullptr empties the table.
    void setResult(std::shared_ptr<const SqlResult> result);
    const std::shared_ptr<const SqlResult>& result() const { return m_result; }
    /// Lists only rows with a value that contains the text; numbers and times are compared as digits, as in CSV.
    void setFilter(const QString& filter);
    void setFormat(const TimeFormat& format);

    std::vector<std::size_t> listed() const; ///< Indexes of the listed rows of the result, in their order.
    int rowOf(std::size_t line) const; ///< Row of the table that lists a row of the result; -1 if it is not listed.
    SqlColumnRole role(int column) const { return m_roles[std::size_t(column)]; }
    /// Returns the value of a cell as a share of the largest value of its column, to draw it as a bar; nullopt for no bar.
    std::optional<double> shareOf(const QModelIndex& index) const;
    /// Returns the look of a cell's state; nullopt if the cell shows no state.
    std::optional<StateKind> stateOf(const QModelIndex& index) const;
    bool isTimeLink(int column) const { return m_roles[std::size_t(column)] == SqlColumnRole::Time; }

    QString csv() const override;

private:
    std::shared_ptr<const SqlResult> m_result;
    std::vector<SqlColumnRole> m_roles;
    std::vector<double> m_most; ///< Largest value of each column, to which bars are scaled; 0 for columns without bars.
    TimeFormat m_format;
};

/// Paints values with bars, and states with swatches.
class SqlResultDelegate final : public LineDelegate {
public:
    SqlResultDelegate(const SqlResultModel& model, QObject* parent);

    static constexpr int BarWidth = 76; ///< Width of the largest bar in pixels.

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    QRect paintMarks(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index, const QRect& room) const override;

private:
    const SqlResultModel& m_model;
};

/// Sets the widths of the columns from the rows in view. Columns share the width that is left, up to twice their own. `width`: width of the
/// table in pixels.
void fitResultColumns(QTreeView& table, int width);

} // namespace helio
