#include "core/analyses/calls/call_stacks.h"

#include "core/analyses/calls/call_states.h"

#include <utility>

namespace helio::calls {

void CallStack::enter(HostTimestamp at, const Function& function)
{
    if (m_open.size() >= MostDepth) {
        ++m_beyond;
        ++m_out->misses.tooDeep;
        return;
    }
    const StackId caller = m_open.empty() ? NoStack : m_open.back().stack;
    const StackId stack = m_out->sink.stacks().stack(caller, function.frame);
    if (const TrackId row = depthRow(m_open.size()); row != NoTrack)
        m_out->sink.set(at, row, Called, static_cast<std::uint32_t>(stack));
    m_open.push_back({at, {}, function.key, stack, function.source});
    if (m_open.size() > Shallow)
        countDeep(m_open.back(), 1);
}

void CallStack::leave(HostTimestamp at, std::uint16_t source, bool hasKey, std::uint64_t key)
{
    if (m_beyond > 0) {
        --m_beyond;
        return;
    }
    const std::size_t found = openOf(source, hasKey, key);
    if (found == m_open.size()) {
        ++m_out->misses.orphans;
        return;
    }
    while (m_open.size() > found + 1)
        pop(at, End::Truncated);
    pop(at, End::Exit);
}

void CallStack::truncate(HostTimestamp at)
{
    m_beyond = 0;
    while (!m_open.empty())
        pop(at, End::Truncated);
}

void CallStack::finish(HostTimestamp at)
{
    while (!m_open.empty())
        pop(at, End::Open);
}

/// The innermost open call that an exit may close; as many as are open: there is none.
std::size_t CallStack::openOf(std::uint16_t source, bool hasKey, std::uint64_t key) const
{
    const auto isIt = [&](const Call& call) { return call.source == source && (!hasKey || call.key == key); };
    if (!m_open.empty() && isIt(m_open.back()))
        return m_open.size() - 1;
    std::size_t from = m_open.size();
    if (from > Shallow && !mayBeDeep(source, hasKey, key))
        from = Shallow;
    for (std::size_t i = from; i-- > 0;)
        if (isIt(m_open[i]))
            return i;
    return m_open.size();
}

bool CallStack::mayBeDeep(std::uint16_t source, bool hasKey, std::uint64_t key) const
{
    if (source >= m_deepSources.size() || m_deepSources[source] == 0)
        return false;
    const auto known = m_deepKeys.find(key);
    return !hasKey || (known != m_deepKeys.end() && known->second > 0);
}

void CallStack::countDeep(const Call& call, int change)
{
    if (call.source >= m_deepSources.size())
        m_deepSources.resize(call.source + std::size_t(1));
    m_deepSources[call.source] += static_cast<std::uint32_t>(change);
    m_deepKeys[call.key] += static_cast<std::uint32_t>(change);
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
    if (m_open.size() > Shallow)
        countDeep(call, -1);
    m_open.pop_back();
    const TrackId row = m_open.size() < m_depths.size() ? m_depths[m_open.size()] : NoTrack;
    const auto value = static_cast<std::uint32_t>(call.stack);
    if (row != NoTrack && end != End::Exit)
        m_out->sink.set(call.begin, row, end == End::Open ? StillOpen : Truncated, value);
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
