#include "core/event_model/call_stacks.h"

#include "core/event_model/frame_style.h"

#include <utility>

namespace helio::calls {

StateSet callStates()
{
    return {"calls",
            {{"call", StateCategory::None, frameStyle("Called", "call", BarPattern::Plain, 0)},
             {"call-truncated", StateCategory::None, frameStyle("Called; exit not recorded", "exit not recorded", BarPattern::Hatched, 1)},
             {"call-open", StateCategory::None,
              frameStyle("Called; still running at the end of the trace", "still open", BarPattern::CutCorner, 2)}},
            "Calls"};
}

void CallStack::enter(HostTimestamp at, const RecordedFunction& function)
{
    if (!m_calls.enter(function.source, function.key)) {
        ++m_out->misses.tooDeep;
        return;
    }
    const StackId caller = m_open.empty() ? NoStack : m_open.back().stack;
    const StackId stack = m_out->sink.stacks().stack(caller, function.frame);
    if (const TrackId row = depthRow(m_open.size()); row != NoTrack)
        m_out->sink.beginInterval(at, row, Called, static_cast<std::uint32_t>(stack));
    m_open.push_back({at, {}, stack});
}

void CallStack::leave(HostTimestamp at, std::uint16_t source, bool hasKey, std::uint64_t key)
{
    const OpenCalls::Left left = m_calls.leave(source, hasKey, key);
    m_out->misses.orphans += left.isOrphan ? 1 : 0;
    for (std::size_t i = left.closed; i > 0; --i)
        pop(at, i > 1 ? End::Truncated : End::Exit);
}

void CallStack::truncate(HostTimestamp at)
{
    m_calls.clear();
    while (!m_open.empty())
        pop(at, End::Truncated);
}

void CallStack::finish(HostTimestamp at)
{
    m_calls.clear();
    while (!m_open.empty())
        pop(at, End::Open);
}

TrackId CallStack::depthRow(std::size_t depth)
{
    if (depth >= m_depths.size()) {
        if (m_out->rows >= MostRows)
            return NoTrack;
        ++m_out->rows;
        Track row;
        const Track& thread = m_out->sink.track(m_row);
        row.view = thread.view;
        row.kind = "depth";
        row.key = m_key + '/' + std::to_string(depth + 1);
        row.label = std::to_string(depth + 1);
        row.parent = m_row;
        row.states = m_out->states;
        row.valueKind = ValueKind::Frame;
        row.pid = thread.pid;
        row.tid = thread.tid;
        row.sortKey = static_cast<std::int32_t>(depth);
        m_depths.push_back(m_out->sink.addTrack(std::move(row)));
    }
    return m_depths[depth];
}

void CallStack::pop(HostTimestamp at, End end)
{
    const Call call = m_open.back();
    m_open.pop_back();
    const TrackId row = m_open.size() < m_depths.size() ? m_depths[m_open.size()] : NoTrack;
    const auto value = static_cast<std::uint32_t>(call.stack);
    if (row != NoTrack && end != End::Exit)
        m_out->sink.beginInterval(call.begin, row, end == End::Open ? StillOpen : Truncated, value);
    if (row != NoTrack)
        m_out->sink.end(at, row);
    const Duration length = at - call.begin;
    if (!m_open.empty())
        m_open.back().inCallees += length;
    m_out->misses.truncated += end == End::Truncated ? 1 : 0;
    m_out->misses.open += end == End::Open ? 1 : 0;
    m_out->sink.segments().add(
        {call.begin, at, (length - call.inCallees).count(), StringId{value}, row != NoTrack ? row : m_row, m_out->calls});
}

} // namespace helio::calls
