#pragma once

#include "widgets/controls/column_model.h"
#include "widgets/docks/statistics/row_statistics.h"

namespace helio {

/// The table of the Statistics dock.
class StatisticsModel : public ColumnModel<RowStatistics> {
    Q_OBJECT

public:
    using Column = StatisticsOrder::Column;
    using enum StatisticsOrder::Column;

    StatisticsModel();

    /// Lines must be in the order of sorting().
    void setLines(std::vector<RowStatistics> lines, TimeRange range);
    /// Noun for one row, used as title of the first column.
    void setOne(const QString& one) { setTitle(Name, one.left(1).toUpper() + one.mid(1)); }
    StatisticsOrder sorting() const { return m_order; }
    TimeRange range() const { return m_range; }
    bool hasNominal() const; ///< True if any line has a nominal time.
    int find(TrackRef track) const; ///< Row of this track; -1 if not found.

    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override; ///< Describes the bars for screen readers.
    void sort(int column, Qt::SortOrder order) override;

signals:
    void sortingChanged(); ///< The user asked for another order; the receiver calls setLines().

private:
    TimeRange m_range;
    StatisticsOrder m_order;
};

} // namespace helio
