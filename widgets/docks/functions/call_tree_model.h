#pragma once

#include "core/profiling/samples/call_tree.h"

#include <QAbstractItemModel>

#include <memory>

namespace helio {

/// Tree of the callers or callees of one function, for a tree view. The first row is the function; the root node of `tree` has no row.
class CallTreeModel : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Column { Function, Total, Self, ColumnCount };

    using QAbstractItemModel::QAbstractItemModel;

    void setTree(std::shared_ptr<const CallTree> tree, WeightBy by);
    const SampledFunction& functionOf(const QModelIndex& index) const { return m_tree->functionOf(nodeOf(index)); }

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex&) const override { return ColumnCount; }
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::uint32_t nodeOf(const QModelIndex& index) const { return index.isValid() ? std::uint32_t(index.internalId()) : 0; }

    std::shared_ptr<const CallTree> m_tree;
    WeightBy m_by = WeightBy::Samples;
};

} // namespace helio
