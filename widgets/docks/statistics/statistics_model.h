#pragma once

#include "widgets/docks/statistics/row_statistics.h"

#include <QAbstractTableModel>

namespace helio {

/// The table of the Statistics dock.
class StatisticsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using Column = StatisticsOrder::Column;
    using enum StatisticsOrder::Column;

    using QAbstractTableModel::QAbstractTableModel;

    /// Lines must be in the order of sorting().
    void setLines(std::vector<RowStatistics> lines, TimeRange range);
    /// Noun for one row, used as title of the first column.
    void setOne(const QString& one);
    const RowStatistics& line(int row) const { return m_lines[std::size_t(row)]; }
    StatisticsOrder sorting() const { return m_order; }
    TimeRange range() const { return m_range; }
    bool hasNominal() const; ///< True if any line has a nominal time.
    int find(TrackRef track) const; ///< Row of this track; -1 if not found.

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

signals:
    void sortingChanged(); ///< The user asked for another order; the receiver calls setLines().

private:
    std::vector<RowStatistics> m_lines;
    TimeRange m_range;
    StatisticsOrder m_order;
    QString m_one = tr("thread");
};

} // namespace helio
