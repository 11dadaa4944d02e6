#include "core/compare/subject.h"

#include "core/profiling/samples/stack_names.h"
#include "core/query/rows/frame_text.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/thread_cpu_times.h"
#include "core/query/rows/timeline_access.h"
#include "core/query/segments/segments.h"

#include <algorithm>
#include <utility>

namespace helio {
namespace {

/// Returns the thread that makes the calls of a row: its row of states or, if states were not recorded, the row above the calls.
std::optional<Row> threadOfCalls(const Timeline& timeline, const Row& calls, TimeRange within, std::stop_token stop)
{
    const TrackRef states = ThreadCpuTimes(timeline, within, std::move(stop)).rowOf(calls.ref, within);
    const TrackRef without{calls.ref.store, threadTrack(storeAt(timeline, calls.ref.store), calls.ref.track)};
    return rowOf(timeline, states.isValid() ? states : without);
}

} // namespace

std::optional<Segment> callOf(const Timeline& timeline, const Subject& subject, TimeRange within)
{
    const bool isOfCalls = subject.thread.isValid() && valueKindOf(timeline, subject.thread) == ValueKind::Frame;
    const auto call = isOfCalls ? callAt(timeline, subject.thread, within.begin) : std::nullopt;
    return call && call->range == within ? call : std::nullopt;
}

std::string readCallName(const Timeline& timeline, const Segment& call, std::stop_token stop)
{
    readFrameNames(timeline, viewOf(timeline, call.row()), std::move(stop));
    return frameText(timeline, call.store, call.recorded.stack());
}

std::vector<ProcessRun> runsOf(const Timeline& timeline, const Subject& subject, TimeRange within, std::stop_token stop)
{
    if (!subject.thread.isValid())
        return processRuns(timeline, subject.program, within, stop);
    auto row = rowOf(timeline, subject.thread);
    const bool isCall = callOf(timeline, subject, within).has_value();
    if (row && row->valueKind == ValueKind::Frame)
        row = threadOfCalls(timeline, *row, isCall ? within : row->life.clippedTo(within), std::move(stop));
    else if (row && row->role != TrackRole::Thread)
        return {};
    if (!row || !row->life.overlaps(within))
        return {};
    const TimeRange seen = isCall ? within : row->life.clippedTo(within);
    return {{*row, seen, isCall || seen == row->life, true}};
}

SampleFilter samplesOf(const Timeline& timeline, const Subject& subject, std::span<const ProcessRun> runs)
{
    SampleFilter filter;
    for (const ProcessRun& run : runs) {
        filter.ranges.push_back(sampledRange(timeline, run));
        (subject.thread.isValid() ? filter.threads : filter.processes).push_back(run.leader.ref);
    }
    if (runs.empty())
        filter.ranges.emplace_back(); // An empty list would let everything pass.
    return filter;
}

std::optional<Timestamp> findFirstSample(const Timeline& timeline, std::string_view function, const SampleFilter& filter,
                                         std::stop_token stop)
{
    const StackProfile profile = collectStacks(timeline, filter, nullptr, stop);
    const StackNames names = nameStacks(profile, timeline, {}, nullptr, stop);
    std::vector<bool> isMeant;
    for (const SampledFunction& it : names.functions)
        isMeant.push_back(it.isCalled(function));
    // Indexed by node: true if the node or one of its callers belongs to the function.
    std::vector<bool> holds(profile.nodes.size(), false);
    for (std::size_t node = 1; node < holds.size(); ++node) {
        const auto frames = names.framesOf(static_cast<std::uint32_t>(node));
        holds[node] = holds[profile.nodes[node].parent]
            || std::ranges::any_of(frames, [&](const NamedFrame& frame) { return isMeant[static_cast<std::size_t>(frame.function)]; });
    }
    std::optional<Timestamp> first;
    for (const CollectedStack& stack : profile.stacks)
        if (holds[stack.node] && (!first || stack.first < *first))
            first = stack.first;
    return first;
}

} // namespace helio
