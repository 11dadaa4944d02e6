#include "core/compare/subject.h"

#include "core/query/rows/row_lookup.h"
#include "core/query/samples/stack_names.h"

#include <algorithm>

namespace helio {

std::vector<ProcessRun> runsOf(const Timeline& timeline, const Subject& subject, TimeRange within, std::stop_token stop)
{
    if (!subject.thread.isValid())
        return processRuns(timeline, subject.program, within, stop);
    const auto row = rowOf(timeline, subject.thread);
    if (!row || row->role != TrackRole::Thread || !row->life.overlaps(within))
        return {};
    const TimeRange seen = row->life.clippedTo(within);
    return {{*row, seen, seen == row->life, true}};
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

std::optional<Timestamp> firstSampleIn(const Timeline& timeline, std::string_view function, const SampleFilter& filter,
                                       std::stop_token stop)
{
    const StackProfile profile = collectStacks(timeline, filter, nullptr, stop);
    const StackNames names = nameStacks(profile, timeline, {}, nullptr, stop);
    std::vector<bool> holds(profile.nodes.size(), false); // By node: it or one of its callers is of the function.
    for (std::size_t node = 1; node < holds.size(); ++node) {
        const auto frames = names.framesOf(static_cast<std::uint32_t>(node));
        holds[node] = holds[profile.nodes[node].parent] || std::ranges::any_of(frames, [&](const NamedFrame& frame) {
                          return names.functions[static_cast<std::size_t>(frame.function)].name == function;
                      });
    }
    std::optional<Timestamp> first;
    for (const CollectedStack& stack : profile.stacks)
        if (holds[stack.node] && (!first || stack.first < *first))
            first = stack.first;
    return first;
}

} // namespace helio
