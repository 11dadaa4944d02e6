#include "core/profiling/calls/call_ends.h"

#include "core/query/rows/row_lookup.h"
#include "core/query/rows/statistics.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <utility>

namespace helio {
namespace {

/// Returns how a call ended, given the state of its bar: a plain bar is drawn for a complete call, a bar with a cut corner for a
/// call that was open at the end of the trace.
CallEnd endOf(const StateKind& state)
{
    switch (state.style.drawing) {
    case BarPattern::Plain: return CallEnd::Exit;
    case BarPattern::CutCorner: return CallEnd::StillOpen;
    default: return CallEnd::NotSeen;
    }
}

} // namespace

CallEnd endOf(const Timeline& timeline, const Segment& call)
{
    if (call.recorded.begin == call.recorded.end || valueKindOf(timeline, call.row()) != ValueKind::Frame)
        // A call of length 0 has no interval in its row, so no state shows how it ended. Count it as exited.
        return CallEnd::Exit;
    const auto found = intervalAt(timeline, call.row(), call.range.begin);
    return found.empty() ? CallEnd::Exit : endOf(stateKind(timeline, call.row(), found.front().state));
}

UnfinishedCalls::UnfinishedCalls(const Timeline& timeline, std::stop_token stop)
    : m_timeline(timeline)
    , m_stop(std::move(stop))
{
}

bool UnfinishedCalls::contains(const Segment& call)
{
    // A call of length 0 is shown by no row and counts as exited; see endOf().
    if (call.recorded.begin == call.recorded.end)
        return false;
    const auto [it, isNew] = m_begins.try_emplace(call.row());
    if (isNew)
        it->second = beginsOn(call.row());
    return std::ranges::binary_search(it->second, call.range.begin);
}

std::vector<Timestamp> UnfinishedCalls::beginsOn(TrackRef track) const
{
    constexpr TimeRange Always{Timestamp::min(), Timestamp::max()};
    const auto isUnfinished = [&](State state) { return endOf(stateKind(m_timeline, track, state)) != CallEnd::Exit; };
    std::vector<Timestamp> begins;
    if (valueKindOf(m_timeline, track) != ValueKind::Frame
        || std::ranges::none_of(totals(m_timeline, track, Always), isUnfinished, &StateTotal::state))
        return begins;
    const auto row = rowOf(m_timeline, track);
    if (!row)
        return begins;
    const auto take = [&](const Interval& it) { isUnfinished(it.state) ? begins.push_back(it.range.begin) : void(); };
    forEachRowInterval(m_timeline, *row, row->life, take, m_stop);
    return begins;
}

} // namespace helio
