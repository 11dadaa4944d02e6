#include "core/event_model/call_stacks.h"

#include "core/event_model/frame_style.h"

#include <algorithm>
#include <utility>

namespace helio::calls {

StateSet callStates()
{
    StateStyle instant = frameStyle("Called; duration 0", "duration 0", BarPattern::Plain, 3);
    instant.flags |= StateFlag::AlwaysVisible;
    return {std::string(CallStates),
            {{"call", StateCategory::None, frameStyle("Called", "call", BarPattern::Plain, 0)},
             {"call-truncated", StateCategory::None, frameStyle("Called; exit not recorded", "exit not recorded", BarPattern::Hatched, 1)},
             {"call-open", StateCategory::None,
              frameStyle("Called; still running at the end of the trace", "still open", BarPattern::CutCorner, 2)},
             {"call-instant", StateCategory::None, std::move(instant)}},
            "Calls"};
}

void CallStack::enter(HostTimestamp at, const RecordedFunction& function, std::int64_t cpuTime)
{
    if (!m_calls.enter(function.source, function.key)) {
        ++m_out->misses.tooDeep;
        return;
    }
    const StackId caller = m_open.empty() ? NoStack : m_open.back().stack;
    const StackId stack = m_out->sink.stacks().stack(caller, function.frame);
    if (const TrackId row = depthRow(m_open.size()); row != NoTrack)
        m_out->sink.beginInterval(at, row, Called, static_cast<std::uint32_t>(stack));
    m_open.push_back({at, {}, stack, cpuTime});
}

void CallStack::leave(HostTimestamp at, std::uint16_t source, bool hasKey, std::uint64_t key, std::int64_t cpuTime)
{
    const OpenCalls::Left left = m_calls.leave(source, hasKey, key);
    if (cpuTime >= 0 && left.closed > 0)
        m_open[m_open.size() - left.closed].cpuTime = cpuTime;
    m_out->misses.orphans += left.isOrphan ? 1 : 0;
    for (std::size_t i = left.closed; i > 0; --i)
        pop(at, i > 1 ? CallEnding::Truncated : CallEnding::Exit);
}

void CallStack::truncate(HostTimestamp at)
{
    m_calls.clear();
    while (!m_open.empty())
        pop(at, CallEnding::Truncated);
}

void CallStack::finish(HostTimestamp at)
{
    m_calls.clear();
    while (!m_open.empty())
        pop(at, CallEnding::Open);
}

TrackId CallStack::depthRow(std::size_t depth)
{
    if (depth >= m_depths.size()) {
        const TrackId row = addDepthRow(*m_out, m_row, m_key, depth);
        if (row == NoTrack)
            return NoTrack;
        m_depths.push_back(row);
    }
    return m_depths[depth];
}

void CallStack::pop(HostTimestamp at, CallEnding ending)
{
    const BegunCall call = m_open.back();
    m_open.pop_back();
    if (!m_open.empty())
        m_open.back().inCallees += at - call.begin;
    writeCallEnd(*m_out, call, m_open.size() < m_depths.size() ? m_depths[m_open.size()] : NoTrack, m_row, at, ending);
}

TrackId addDepthRow(CallOutput& out, TrackId parent, const std::string& key, std::size_t depth)
{
    if (out.rows >= MostDepthRows)
        return NoTrack;
    ++out.rows;
    Track row;
    const Track& owner = out.sink.track(parent);
    row.view = owner.view;
    row.kind = "depth";
    row.key = key + '/' + std::to_string(depth + 1);
    row.label = std::to_string(depth + 1);
    row.parent = parent;
    row.states = out.states;
    row.valueKind = ValueKind::Frame;
    row.pid = owner.pid;
    row.tid = owner.tid;
    row.sortKey = static_cast<std::int32_t>(depth);
    return out.sink.addTrack(std::move(row));
}

namespace {

/// Begins the tick of a call of duration 0, which is the open interval of `row`. Returns the end of the tick; the call's time if the tick
/// would be too far from it, so that the row does not show the call.
HostTimestamp beginTick(CallOutput& out, const BegunCall& call, TrackId row)
{
    HostTimestamp& lastEnd = out.tickEnds.try_emplace(static_cast<std::uint32_t>(row), HostTimestamp::min()).first->second;
    const HostTimestamp from = std::max(call.begin, lastEnd);
    if (from - call.begin >= TickReach)
        return call.begin;
    out.sink.beginInterval(from, row, WithoutDuration, static_cast<std::uint32_t>(call.stack));
    lastEnd = from + Duration(1);
    return lastEnd;
}

} // namespace

void writeCallEnd(CallOutput& out, const BegunCall& call, TrackId row, TrackId parent, HostTimestamp at, CallEnding ending)
{
    const auto value = static_cast<std::uint32_t>(call.stack);
    if (row != NoTrack && ending != CallEnding::Exit)
        out.sink.beginInterval(call.begin, row, ending == CallEnding::Open ? StillOpen : Truncated, value);
    if (row != NoTrack)
        out.sink.end(ending == CallEnding::Exit && at == call.begin ? beginTick(out, call, row) : at, row);
    const Duration length = at - call.begin;
    out.misses.truncated += ending == CallEnding::Truncated ? 1 : 0;
    out.misses.open += ending == CallEnding::Open ? 1 : 0;
    const TrackId shownOn = row != NoTrack ? row : parent;
    out.sink.segments().add({call.begin, at, (length - call.inCallees).count(), StringId{value}, shownOn, out.calls});
    if (out.cpuTimes && call.cpuTime >= 0 && ending == CallEnding::Exit)
        out.sink.segments().add({call.begin, at, call.cpuTime, StringId{value}, shownOn, *out.cpuTimes});
}

} // namespace helio::calls
