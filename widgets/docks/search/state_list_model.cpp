#include "widgets/docks/search/state_list_model.h"

#include "widgets/theme/themes.h"

#include <algorithm>
#include <numeric>

namespace helio {

namespace {

bool isNumber(int column) { return column == StateOrder::Length || column == StateOrder::Cpu; }

/// Sorts by a key that is computed once per hit.
template <typename KeyOf> void sortBy(std::vector<std::uint32_t>& lines, const StateSearchResult& found, bool isDescending, KeyOf keyOf)
{
    using Key = decltype(keyOf(found.findings.hits.front()));
    std::vector<Key> keys;
    keys.reserve(found.findings.hits.size());
    for (const StateHit& hit : found.findings.hits)
        keys.push_back(keyOf(hit));
    std::ranges::stable_sort(lines, [&](std::uint32_t a, std::uint32_t b) { return isDescending ? keys[b] < keys[a] : keys[a] < keys[b]; });
}

} // namespace

std::vector<std::uint32_t> ordered(const StateSearchResult& found, const StateOrder& order)
{
    const auto& hits = found.findings.hits;
    std::vector<std::uint32_t> lines(hits.size());
    std::iota(lines.begin(), lines.end(), 0u);
    if (!order.onlyState.isEmpty() || order.onlyTrack.isValid())
        std::erase_if(lines, [&](std::uint32_t line) {
            const StateHit& hit = hits[line];
            return (order.onlyTrack.isValid() && found.groupTrackOf(hit) != order.onlyTrack)
                || (!order.onlyState.isEmpty() && found.groupOf(hit) != order.onlyState);
        });
    if (lines.empty())
        return lines;
    switch (order.column) {
    case StateOrder::Length: sortBy(lines, found, order.isDescending, [](const StateHit& hit) { return hit.range.duration(); }); break;
    case StateOrder::State: sortBy(lines, found, order.isDescending, [&](const StateHit& hit) { return found.stateOf(hit); }); break;
    case StateOrder::Thread:
        sortBy(lines, found, order.isDescending, [&](const StateHit& hit) { return found.rowOf(hit.track).label; });
        break;
    case StateOrder::Cpu: sortBy(lines, found, order.isDescending, [&](const StateHit& hit) { return found.rowOf(hit.track).cpu; }); break;
    case StateOrder::Detail: sortBy(lines, found, order.isDescending, [&](const StateHit& hit) { return found.detailOf(hit); }); break;
    case StateOrder::Host:
        sortBy(lines, found, order.isDescending, [&](const StateHit& hit) { return found.rowOf(hit.track).host; });
        break;
    default:
        if (order.isDescending)
            std::ranges::reverse(lines); // Hits are stored by begin.
    }
    return lines;
}

void StateListModel::setLines(std::shared_ptr<const StateSearchResult> found, std::vector<std::uint32_t> lines)
{
    beginResetModel();
    m_found = std::move(found);
    m_lines = std::move(lines);
    endResetModel();
    emit headerDataChanged(Qt::Horizontal, StateOrder::Detail, StateOrder::Detail);
}

void StateListModel::setTimeFormat(const TimeFormat& format)
{
    m_format = format;
    if (!m_lines.empty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, 0));
}

void StateListModel::setOnly(const QString& state, TrackRef track)
{
    m_order.onlyState = state;
    m_order.onlyTrack = track;
    emit orderChanged();
}

int StateListModel::lineOf(std::uint32_t hit) const
{
    const auto it = std::ranges::find(m_lines, hit);
    return it == m_lines.end() ? -1 : int(it - m_lines.begin());
}

int StateListModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(m_lines.size()); }
int StateListModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(StateOrder::ColumnCount); }

QString StateListModel::textAt(const StateHit& hit, int column) const
{
    const FoundIntervalRow& row = m_found->rowOf(hit.track);
    switch (column) {
    case StateOrder::Begin: return timeText(hit.range.begin, m_format);
    case StateOrder::Length: return durationText(hit.range.duration());
    case StateOrder::State: return m_found->stateOf(hit);
    case StateOrder::Thread: return row.tid >= 0 ? QStringLiteral("%1 %2").arg(row.label).arg(row.tid) : row.label;
    case StateOrder::Cpu: return row.cpu >= 0 ? QString::number(row.cpu) : QString();
    case StateOrder::Detail: return m_found->detailOf(hit);
    default: return row.host;
    }
}

QVariant StateListModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter | (isNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft));
    if (role == Qt::ForegroundRole) {
        const int what = m_found->findings.areCalls ? StateOrder::Detail : StateOrder::State;
        return theme().color(index.column() == m_order.column || index.column() == what ? "text.primary" : "text.secondary");
    }
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole)
        return textAt(m_found->findings.hits[hitAt(index.row())], index.column());
    return {};
}

QVariant StateListModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter | (isNumber(section) ? Qt::AlignRight : Qt::AlignLeft));
    static const char* const names[] = {QT_TR_NOOP("Begin"), QT_TR_NOOP("Duration"), QT_TR_NOOP("State"), QT_TR_NOOP("Thread"),
                                        QT_TR_NOOP("CPU"),   QT_TR_NOOP("Detail"),   QT_TR_NOOP("Host")};
    if (role == Qt::DisplayRole && section == StateOrder::Detail && m_found && m_found->findings.areCalls)
        return tr("Function");
    return role == Qt::DisplayRole ? tr(names[section]) : QVariant();
}

void StateListModel::sort(int column, Qt::SortOrder order)
{
    m_order.column = StateOrder::Column(std::clamp(column, 0, StateOrder::ColumnCount - 1));
    m_order.isDescending = order == Qt::DescendingOrder;
    emit orderChanged();
}

} // namespace helio
