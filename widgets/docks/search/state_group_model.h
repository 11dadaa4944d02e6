#pragma once

#include "widgets/docks/search/state_search.h"

#include <QAbstractTableModel>

namespace helio {

/// How long the found intervals lasted: all, by state, and behind each state by row.
class StateGroupModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Name, Count, Total, Min, Mean, Median, P99, Max, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setFound(std::shared_ptr<const FoundStates> found);
    /// Of a line; null: the first, which stands for all.
    const StateGroup* groupAt(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString nameAt(int row) const;

    std::shared_ptr<const FoundStates> m_found;
};

} // namespace helio
