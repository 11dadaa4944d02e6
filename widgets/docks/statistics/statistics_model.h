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

    /// In the order that sorting() asks for.
    void setLines(std::vector<RowStatistics> lines, TimeRange range);
    /// What one of the rows is called: the title of the first column.
    void setOne(const QString& one);
    const RowStatistics& line(int row) const { return m_lines[std::size_t(row)]; }
    StatisticsOrder sorting() const { return m_order; }
    TimeRange range() const { return m_range; }
    bool hasNominal() const; ///< Of any line it is known.
    int find(TrackRef track) const; ///< -1: not there.

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

signals:
    void sortingChanged(); ///< Lines in another order are wanted.

private:
    std::vector<RowStatistics> m_lines;
    TimeRange m_range;
    StatisticsOrder m_order;
    QString m_one = tr("thread");
};

} // namespace helio
