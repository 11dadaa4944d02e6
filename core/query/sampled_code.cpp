#include "core/query/sampled_code.h"

#include "core/experiment/timeline.h"
#include "core/query/statistics.h"

#include <algorithm>
#include <map>
#include <optional>

namespace helio {
namespace {

std::uint64_t countOf(const Timeline& timeline, TrackRef row, std::string_view kind, TimeRange range)
{
    std::uint64_t count = 0;
    if (const TrackRef ticks = attributeOf(timeline, row, kind); ticks.isValid())
        for (const StateTotal& total : totals(timeline, ticks, range))
            count += total.count;
    return count;
}

/// Samples of one row: of CPU time where there are such. Nothing: there is no such row.
std::optional<SampleFilter> filterOf(const Timeline& timeline, TrackRef row, TimeRange range)
{
    if (row.trace >= timeline.traces.size() || !timeline.traces[row.trace].store)
        return {};
    const auto tracks = timeline.traces[row.trace].store->tracks();
    if (static_cast<std::size_t>(row.track) >= tracks.size())
        return {};
    SampleFilter filter;
    filter.ranges = {range};
    const Track& track = tracks[static_cast<std::size_t>(row.track)];
    if (track.kind == "cpu")
        filter.cpus = {{timeline.traces[row.trace].host, track.cpu}};
    else
        filter.threads = {row};
    for (const SampleKindFacts& it : sampleKinds(timeline))
        if (it.kind.isTime && it.kind.origin == SampleKind::Origin::Event) // Rather than tracepoints, however many there are.
            filter.kinds.push_back(it.kind.name);
    return filter;
}

constexpr std::pair<const char*, CodeMode> Ticks[] = {
    {"samples-user", CodeMode::User}, {"samples-kernel", CodeMode::Kernel}, {"samples-other", CodeMode::Unknown}};

/// The tick nearest to a moment; the earlier of two.
std::optional<NamedSample> nearestTick(const Timeline& timeline, TrackRef row, Timestamp at)
{
    std::optional<NamedSample> nearest;
    const auto distance = [at](Timestamp time) { return time < at ? at - time : time - at; };
    for (const auto& [kind, mode] : Ticks) {
        const TrackRef ticks = attributeOf(timeline, row, kind);
        if (!ticks.isValid())
            continue;
        for (const auto& found : {previousInterval(timeline, ticks, at), intervalAt(timeline, ticks, at), nextInterval(timeline, ticks, at)})
            if (!found.empty() && (!nearest || distance(found.front().range.begin) < distance(nearest->time)))
                nearest = NamedSample{found.front().range.begin, mode, {}, false};
    }
    return nearest;
}

} // namespace

SampleCounts sampleCounts(const Timeline& timeline, TrackRef row, TimeRange range)
{
    return {countOf(timeline, row, "samples-user", range), countOf(timeline, row, "samples-kernel", range),
            countOf(timeline, row, "samples-other", range)};
}

std::vector<SampledFunction> mostSampledStack(const Timeline& timeline, TrackRef row, TimeRange range, std::stop_token stop)
{
    const auto filter = filterOf(timeline, row, range);
    if (!filter)
        return {};
    const StackProfile profile = collectStacks(timeline, *filter, nullptr, stop);
    if (profile.stacks.empty() || stop.stop_requested())
        return {};
    const StackNames names = nameStacks(profile, timeline, {.expandsInlined = false}, nullptr, stop);
    const auto leafOf = [&](const CollectedStack& stack) {
        const auto frames = names.framesOf(stack.node);
        return frames.empty() ? FunctionId{} : frames.front().function;
    };
    std::map<FunctionId, std::uint64_t> samples;
    for (const CollectedStack& stack : profile.stacks)
        samples[leafOf(stack)] += stack.samples;
    const FunctionId most = std::ranges::max_element(samples, {}, [](const auto& it) { return it.second; })->first;
    std::vector<SampledFunction> functions;
    for (std::uint32_t node = std::ranges::find(profile.stacks, most, leafOf)->node; node != 0; node = profile.nodes[node].parent)
        for (const NamedFrame& frame : names.framesOf(node))
            functions.push_back(names.functions[static_cast<std::size_t>(frame.function)]);
    return functions;
}

std::optional<NamedSample> nearestSample(const Timeline& timeline, TrackRef row, Timestamp at, std::stop_token stop)
{
    std::optional<NamedSample> sample = nearestTick(timeline, row, at);
    if (!sample)
        return {};
    const auto filter = filterOf(timeline, row, {sample->time, sample->time + Duration(1)});
    const StackProfile profile = filter ? collectStacks(timeline, *filter, nullptr, stop) : StackProfile();
    if (profile.stacks.empty())
        return sample;
    const StackNames names = nameStacks(profile, timeline, {}, nullptr, stop);
    const CollectedStack& stack = profile.stacks.front();
    sample->isCut = stack.isCut;
    for (std::uint32_t node = stack.node; node != 0; node = profile.nodes[node].parent)
        for (const NamedFrame& frame : names.framesOf(node))
            sample->stack.push_back({names.functions[static_cast<std::size_t>(frame.function)], frame.isInlined});
    return sample;
}

} // namespace helio
