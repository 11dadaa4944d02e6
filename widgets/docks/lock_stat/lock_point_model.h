#pragma once

#include "core/waits/locks/lock_stat.h"

#include <QAbstractTableModel>

#include <vector>

namespace helio {

/// Where locks of one class were waited for, and below that where whoever had them had taken them: the most often first. UI thread.
class LockPointModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { What, Contentions, Symbol, Address, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setPoints(std::vector<LockStatPoint> points);
    const LockStatPoint& point(int row) const { return m_points[std::size_t(row)]; }

    int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : int(m_points.size()); }
    int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : int(ColumnCount); }
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<LockStatPoint> m_points;
};

} // namespace helio
