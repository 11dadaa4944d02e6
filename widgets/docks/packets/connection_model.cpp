#include "widgets/docks/packets/connection_model.h"

#include "widgets/theme/themes.h"

#include <algorithm>

namespace helio {

ConnectionModel::ConnectionModel(QObject* parent)
    : QAbstractTableModel(parent)
    , m_all(std::make_shared<const ConnectionList>())
{
}

void ConnectionModel::setConnections(std::shared_ptr<const ConnectionList> connections)
{
    beginResetModel();
    m_all = std::move(connections);
    order();
    endResetModel();
}

void ConnectionModel::setFilter(const QString& text)
{
    beginResetModel();
    m_filter = text;
    order();
    endResetModel();
}

int ConnectionModel::find(std::uint32_t relation, std::uint32_t connection) const
{
    const auto is = [&](std::uint32_t place) { return m_all->at(place).relation == relation && m_all->at(place).connection == connection; };
    const auto found = std::ranges::find_if(m_shown, is);
    return found != m_shown.end() ? int(found - m_shown.begin()) : -1;
}

int ConnectionModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(m_shown.size()); }
int ConnectionModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ConnectionColumns; }

void ConnectionModel::order() { m_shown = m_all->ordered(m_filter, m_sorted, m_isDescending); }

QVariant ConnectionModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const auto column = ConnectionColumn(index.column());
    switch (role) {
    case Qt::DisplayRole: return m_all->textOf(placeOf(index.row()), column);
    case Qt::TextAlignmentRole: return int(Qt::AlignVCenter | (isText(column) ? Qt::AlignLeft : Qt::AlignRight));
    case Qt::ForegroundRole: return theme().color(column == ConnectionColumn::Name ? "text.primary" : "text.secondary");
    case Qt::ToolTipRole: return m_all->tipOf(placeOf(index.row()));
    default: return {};
    }
}

QVariant ConnectionModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    const auto column = ConnectionColumn(section);
    switch (role) {
    case Qt::DisplayRole: return titleOf(column);
    case Qt::ToolTipRole: return titleTip(column);
    case Qt::TextAlignmentRole: return int(Qt::AlignVCenter | (isText(column) ? Qt::AlignLeft : Qt::AlignRight));
    // The user looks for the largest numbers.
    case Qt::InitialSortOrderRole: return int(isText(column) ? Qt::AscendingOrder : Qt::DescendingOrder);
    default: return {};
    }
}

void ConnectionModel::sort(int column, Qt::SortOrder order)
{
    beginResetModel();
    m_sorted = ConnectionColumn(std::clamp(column, 0, ConnectionColumns - 1));
    m_isDescending = order == Qt::DescendingOrder;
    this->order();
    endResetModel();
}

} // namespace helio
