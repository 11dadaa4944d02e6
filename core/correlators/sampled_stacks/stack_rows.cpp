#include "core/correlators/sampled_stacks/stack_rows.h"

#include "core/event_model/frame_style.h"

#include <algorithm>

namespace helio::sampled_stacks {
namespace {

/// Maximum distance between consecutive samples, in periods: timers fire late, and cycle counters advance more slowly on a CPU below full
/// speed.
constexpr int PeriodsBetween = 2;

HostTimestamp later(HostTimestamp at, Duration by)
{
    std::int64_t sum = 0;
    if (!__builtin_add_overflow(nanoseconds(at), by.count(), &sum))
        return hostTime(sum);
    return by < Duration(0) ? HostTimestamp::min() : HostTimestamp::max();
}

StateKind stateNamed(const char* name, const char* words, const char* legend, BarPattern drawing, std::uint8_t order)
{
    StateStyle style = frameStyle(words, legend, drawing, order);
    style.flags |= StateFlag::ExplainedInTips;
    return {name, StateCategory::None, style};
}

} // namespace

StateSet stackStates()
{
    StateKind inlined = stateNamed("sampled-inlined", "Inlined into its caller", "inlined", BarPattern::Plain, 2);
    inlined.style.color = "flame.inlined";
    return {"sampled-stacks",
            {stateNamed("sampled", "Sampled", "sampled", BarPattern::Plain, 0),
             stateNamed("sampled-cut", "Sampled; callers not recorded", "callers not recorded", BarPattern::Hatched, 1), inlined},
            "Sampled stacks"};
}

void StackRows::take(HostTimestamp at, std::span<const SampledFrame> frames, Duration period, bool isCut)
{
    const HostTimestamp end = later(at, Duration(1)); // Ranges exclude their end, but the bar of a sample must include the sample's time.
    const bool follows = end <= m_continuesUntil;
    if (!follows)
        close(0, m_end);
    add(follows ? m_end : std::max(m_end, later(end, -period)), end, frames, isCut);
    m_continuesUntil = later(end, PeriodsBetween * period);
}

void StackRows::takeForward(HostTimestamp at, std::span<const SampledFrame> frames, Duration period, bool isCut)
{
    if (at > m_end)
        close(0, m_end);
    const HostTimestamp begin = std::max(at, m_end);
    add(begin, std::max(later(begin, Duration(1)), later(at, period)), frames, isCut);
}

/// Adds the frames of a sample from `begin` on, and sets m_end to `end`.
void StackRows::add(HostTimestamp begin, HostTimestamp end, std::span<const SampledFrame> frames, bool isCut)
{
    const auto isSame = [](const SampledFrame& a, const SampledFrame& b) { return a.function == b.function && a.isInlined == b.isInlined; };
    const auto differ = isCut == m_isCut ? std::ranges::mismatch(m_open, frames, isSame).in1 : m_open.begin();
    const auto common = static_cast<std::size_t>(differ - m_open.begin());
    close(common, begin);
    for (std::size_t depth = common; depth < frames.size(); ++depth) {
        m_open.push_back(frames[depth]);
        const State state{depth == 0 && isCut ? SampledCut : frames[depth].isInlined ? SampledInlined : Sampled};
        if (const TrackId row = depthRow(depth); row != NoTrack)
            m_sink->set(begin, row, state, static_cast<std::uint32_t>(frames[depth].stack));
    }
    m_isCut = isCut;
    m_end = end;
}

/// Closes the rows of the frames at `depth` and deeper.
void StackRows::close(std::size_t depth, HostTimestamp end)
{
    for (std::size_t i = depth; i < std::min(m_open.size(), m_depths.size()); ++i)
        m_sink->end(end, m_depths[i]);
    m_open.resize(std::min(depth, m_open.size()));
}

TrackId StackRows::depthRow(std::size_t depth)
{
    if (depth < m_depths.size())
        return m_depths[depth];
    if (*m_rows >= MostRows)
        return NoTrack;
    ++*m_rows;
    const Track& thread = m_sink->track(m_row);
    Track row;
    row.view = thread.view;
    row.kind = "depth";
    row.key = thread.key + '/' + std::to_string(depth + 1);
    row.label = std::to_string(depth + 1);
    row.parent = m_row;
    row.states = thread.states;
    row.valueKind = ValueKind::Frame;
    row.pid = thread.pid;
    row.tid = thread.tid;
    row.sortKey = static_cast<std::int32_t>(depth);
    return m_depths.emplace_back(m_sink->addTrack(std::move(row)));
}

} // namespace helio::sampled_stacks
