#include "core/profiling/calls/call_ends.h"

#include "core/event_model/call_stacks.h"
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
    if (valueKindOf(timeline, call.row()) != ValueKind::Frame)
        return CallEnd::Exit;
    if (call.recorded.begin == call.recorded.end)
        return UnfinishedCalls(timeline).contains(call) ? CallEnd::NotSeen : CallEnd::Exit;
    const auto found = storeAt(timeline, call.store).intervalAt(call.recorded.track, call.recorded.end - Duration(1));
    return found.empty() ? CallEnd::Exit : endOf(stateKind(timeline, call.row(), found.front().state));
}

UnfinishedCalls::UnfinishedCalls(const Timeline& timeline, std::stop_token stop)
    : m_timeline(timeline)
    , m_stop(std::move(stop))
{
}

bool UnfinishedCalls::contains(const Segment& call)
{
    const auto [it, isNew] = m_rows.try_emplace(call.row());
    if (isNew)
        it->second = read(call.row());
    const RowEnds& row = it->second;
    if (call.recorded.begin < call.recorded.end)
        return std::ranges::binary_search(row.unfinished, call.range.end);
    // The row shows each call of duration 0 with an exit as a tick, unless it already shows as many calls with the same time as it can.
    const auto first = std::ranges::lower_bound(row.ticks, call.range.begin, {}, &Tick::begin);
    const auto last = std::ranges::lower_bound(row.ticks, call.range.begin + calls::TickReach, {}, &Tick::begin);
    const bool isFull = last - first + 1 >= calls::TickReach.count();
    return row.isOfCalls && !isFull && std::none_of(first, last, [&](const Tick& tick) { return tick.stack == call.recorded.stack(); });
}

UnfinishedCalls::RowEnds UnfinishedCalls::read(TrackRef track) const
{
    constexpr TimeRange Always{Timestamp::min(), Timestamp::max()};
    RowEnds ends;
    ends.isOfCalls = valueKindOf(m_timeline, track) == ValueKind::Frame;
    const auto isNeeded = [&](State state) {
        return isCallTick(m_timeline, track, state) || endOf(stateKind(m_timeline, track, state)) != CallEnd::Exit;
    };
    if (!ends.isOfCalls || std::ranges::none_of(totals(m_timeline, track, Always), isNeeded, &StateTotal::state))
        return ends;
    const auto row = rowOf(m_timeline, track);
    if (!row)
        return ends;
    const auto take = [&](const Interval& it) {
        if (isCallTick(m_timeline, track, it.state))
            ends.ticks.push_back({it.range.begin, StackId{it.value}});
        else if (isNeeded(it.state))
            ends.unfinished.push_back(it.range.end);
    };
    forEachRowInterval(m_timeline, *row, row->life, take, m_stop);
    return ends;
}

} // namespace helio
