#include "widgets/docks/events/state_list_model.h"

#include <algorithm>
#include <numeric>

namespace helio {

namespace {

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
            std::ranges::reverse(lines); // Hits are stored in ascending order of their begins, so the reversed order is descending.
    }
    return lines;
}

StateListModel::StateListModel()
{
    using Line = std::uint32_t;
    const auto column = [this](int number, const QString& title, bool isNumber = false) {
        const auto shown = [this, number](const Line& it) { return textAt(m_found->findings.hits[it], number); };
        const auto color = [this, number](const Line&) {
            const int what = m_found->findings.areCalls ? StateOrder::Detail : StateOrder::State;
            return number == m_order.column || number == what ? QStringLiteral("text.primary") : QStringLiteral("text.secondary");
        };
        return TableColumn<Line>{title, shown, isNumber, {}, shown, {}, color};
    };
    setColumns({column(StateOrder::Begin, tr("Start")), column(StateOrder::Length, tr("Duration"), true),
                column(StateOrder::State, tr("State")), column(StateOrder::Thread, tr("Thread")), column(StateOrder::Cpu, tr("CPU"), true),
                column(StateOrder::Detail, {}), column(StateOrder::Host, tr("Host"))});
    setFirstOrder(Qt::AscendingOrder);
}

void StateListModel::setLines(std::shared_ptr<const StateSearchResult> found, std::vector<std::uint32_t> lines)
{
    m_found = std::move(found);
    ColumnModel::setLines(std::move(lines));
    setTitle(StateOrder::Detail, m_found && m_found->findings.areCalls ? tr("Function") : tr("Detail"));
}

void StateListModel::setTimeFormat(const TimeFormat& format)
{
    m_format = format;
    refreshCells();
}

void StateListModel::setOnly(const QString& state, TrackRef track)
{
    m_order.onlyState = state;
    m_order.onlyTrack = track;
    emit orderChanged();
}

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

void StateListModel::sort(int column, Qt::SortOrder order)
{
    m_order.column = StateOrder::Column(std::clamp(column, 0, StateOrder::ColumnCount - 1));
    m_order.isDescending = order == Qt::DescendingOrder;
    emit orderChanged();
}

} // namespace helio
