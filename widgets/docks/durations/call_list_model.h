#pragma once

#include "widgets/docks/durations/function_durations.h"
#include "widgets/time/time_format.h"

#include <QAbstractTableModel>

namespace helio {

/// The calls of a bucket, a line each.
class CallListModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Begin, Length, Thread, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setCalls(std::shared_ptr<const BucketCalls> calls); ///< Null: none.
    void setTimeFormat(const TimeFormat& format);

    std::size_t callAt(int row) const { return m_lines[std::size_t(row)]; } ///< Its index in BucketCalls.
    int lineOf(std::size_t call) const; ///< -1: not there.

    int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : int(m_lines.size()); }
    int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : int(ColumnCount); }
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    void arrange();

    std::shared_ptr<const BucketCalls> m_calls;
    std::vector<std::uint32_t> m_lines;
    Column m_column = Begin;
    bool m_isDescending = false;
    TimeFormat m_format;
};

} // namespace helio
