#include "widgets/docks/functions/call_tree_model.h"

#include "widgets/flame/view/flame_part.h"
#include "widgets/flame/view/frame_text.h"
#include "widgets/theme/themes.h"

namespace helio {

void CallTreeModel::setTree(std::shared_ptr<const CallTree> tree, WeightBy by)
{
    beginResetModel();
    m_tree = std::move(tree);
    m_by = by;
    endResetModel();
}

QModelIndex CallTreeModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!m_tree || row < 0 || row >= rowCount(parent))
        return {};
    return createIndex(row, column, quintptr(m_tree->nodes[nodeOf(parent)].firstChild + std::uint32_t(row)));
}

QModelIndex CallTreeModel::parent(const QModelIndex& index) const
{
    const std::uint32_t parent = index.isValid() ? m_tree->nodes[nodeOf(index)].parent : 0;
    if (parent == 0)
        return {};
    return createIndex(int(parent - m_tree->nodes[m_tree->nodes[parent].parent].firstChild), 0, quintptr(parent));
}

int CallTreeModel::rowCount(const QModelIndex& parent) const
{
    return !m_tree || m_tree->nodes.empty() || parent.column() > 0 ? 0 : int(m_tree->nodes[nodeOf(parent)].childCount);
}

QVariant CallTreeModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const CallNode& node = m_tree->nodes[nodeOf(index)];
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter | (index.column() == Function ? Qt::AlignLeft : Qt::AlignRight));
    if (role == Qt::ForegroundRole)
        return theme().color("text.primary");
    if (role == Qt::ToolTipRole)
        return QString::fromStdString(functionOf(index).module);
    if (role != Qt::DisplayRole)
        return {};
    const std::uint64_t whole = amount(m_tree->whole, m_by);
    switch (index.column()) {
    case Function: return frameLabel(functionOf(index));
    case Total: return shareText(amount(node.total, m_by), whole, 2);
    default: return shareText(amount(node.own, m_by), whole, 2);
    }
}

QVariant CallTreeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter | (section == Function ? Qt::AlignLeft : Qt::AlignRight));
    static const char* const names[] = {QT_TR_NOOP("Function"), QT_TR_NOOP("Total"), QT_TR_NOOP("Self")};
    return role == Qt::DisplayRole ? tr(names[section]) : QVariant();
}

} // namespace helio
