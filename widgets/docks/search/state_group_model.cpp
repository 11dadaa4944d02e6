#include "widgets/docks/search/state_group_model.h"

#include "widgets/theme/themes.h"
#include "widgets/time/time_format.h"

namespace helio {

namespace {

QString orUnknown(const std::optional<Duration>& duration) { return duration ? durationText(*duration) : QString(QChar(0x2013)); }

QString textOf(const DurationSummary& it, int column)
{
    switch (column) {
    case StateGroupModel::Count: return countText(qint64(it.count));
    case StateGroupModel::Total: return durationText(it.total);
    case StateGroupModel::Min: return durationText(it.min);
    case StateGroupModel::Mean: return durationText(it.mean());
    case StateGroupModel::Median: return orUnknown(it.p50);
    case StateGroupModel::P99: return orUnknown(it.p99);
    case StateGroupModel::Max: return durationText(it.max);
    default: return {};
    }
}

} // namespace

void StateGroupModel::setFound(std::shared_ptr<const FoundStates> found)
{
    beginResetModel();
    m_found = std::move(found);
    endResetModel();
    emit headerDataChanged(Qt::Horizontal, Name, Name);
}

const StateGroup* StateGroupModel::groupAt(int row) const { return row > 0 ? &m_found->findings.groups[std::size_t(row) - 1] : nullptr; }

int StateGroupModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_found || m_found->findings.all.count == 0 ? 0 : 1 + int(m_found->findings.groups.size());
}

int StateGroupModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(ColumnCount); }

QString StateGroupModel::nameAt(int row) const
{
    const StateGroup* group = groupAt(row);
    if (!group)
        return tr("All");
    if (!group->track.isValid())
        return QString::fromStdString(group->state);
    const FoundRow& of = m_found->rowOf(group->track);
    return QStringLiteral("      ") + of.label + (of.tid >= 0 ? QStringLiteral(" %1").arg(of.tid) : QString())
        + (of.depth.isEmpty() ? QString() : tr(", depth %1").arg(of.depth));
}

QVariant StateGroupModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const StateGroup* group = groupAt(index.row());
    const bool isSum = !group || !group->track.isValid();
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter | (index.column() == Name ? Qt::AlignLeft : Qt::AlignRight));
    if (role == Qt::ForegroundRole)
        return theme().color(isSum && index.column() == Name ? "text.primary" : "text.secondary");
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    const DurationSummary& durations = group ? group->durations : m_found->findings.all;
    if (role == Qt::ToolTipRole && (index.column() == Median || index.column() == P99) && !durations.p50)
        return tr("There are more intervals than can be kept one by one; ask for fewer.");
    return index.column() == Name ? nameAt(index.row()) : textOf(durations, index.column());
}

QVariant StateGroupModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter | (section == Name ? Qt::AlignLeft : Qt::AlignRight));
    static const char* const names[] = {QT_TR_NOOP("By state and thread"),
                                        QT_TR_NOOP("Count"),
                                        QT_TR_NOOP("Total"),
                                        QT_TR_NOOP("Min"),
                                        QT_TR_NOOP("Mean"),
                                        QT_TR_NOOP("p50"),
                                        QT_TR_NOOP("p99"),
                                        QT_TR_NOOP("Max")};
    if (role == Qt::DisplayRole && section == Name && m_found && m_found->findings.areCalls)
        return tr("By function and thread");
    return role == Qt::DisplayRole ? tr(names[section]) : QVariant();
}

} // namespace helio
