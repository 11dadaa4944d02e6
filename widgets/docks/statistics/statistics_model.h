#pragma once

#include "widgets/controls/column_model.h"
#include "widgets/docks/statistics/row_statistics.h"

namespace helio {

class StatisticsModel : public ColumnModel<RowStatistics> {
    Q_OBJECT

public:
    using Column = StatisticsOrder::Column;
    using enum StatisticsOrder::Column;

    StatisticsModel();

    /// Sets the lines. The caller must have sorted them by sorting().
    void setLines(std::vector<RowStatistics> lines, TimeRange range);
    /// Sets the title of the first column to `one`, the noun for a single row, e.g. "thread". The first letter becomes a capital.
    void setOne(const QString& one) { setTitle(Name, one.left(1).toUpper() + one.mid(1)); }
    StatisticsOrder sorting() const { return m_order; }
    TimeRange range() const { return m_range; }
    bool hasTids() const; ///< True if any line has a TID, or there are no lines.
    bool hasOnCpu() const; ///< True if any line has a time on a CPU, or there are no lines.
    bool hasNominal() const; ///< True if any line has a nominal time, so that the column is shown.
    bool hasEstimates() const; ///< True if any line is estimated from samples.
    int find(TrackRef track) const; ///< Row with this track; -1 if there is none.

    /// Returns the data of a cell; for bars, a description for screen readers.
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    void sort(int column, Qt::SortOrder order) override;

signals:
    void sortingChanged(); ///< Emitted when the user chose another sort order; the receiver must call setLines().

private:
    TimeRange m_range;
    bool m_showsCalls = false; ///< True if the column OnCpu shows RowStatistics::inCalls, because no line has a time on a CPU.
    StatisticsOrder m_order;
};

} // namespace helio
