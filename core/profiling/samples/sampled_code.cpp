#include "core/profiling/samples/sampled_code.h"

#include "core/query/rows/estimated_cpu_times.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/inlined_frames.h"
#include "core/query/rows/sampled_rows.h"
#include "core/query/rows/statistics.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <map>
#include <optional>

namespace helio {
namespace {

std::uint64_t countOf(const Timeline& timeline, TrackRef row, TrackRole ofTicks, TimeRange range)
{
    std::uint64_t count = 0;
    const RowTicks ticks = ticksOf(timeline, row, ofTicks);
    if (const TimeRange own = range.clippedTo(ticks.life); ticks.track.isValid() && !own.isEmpty())
        for (const StateTotal& total : totals(timeline, ticks.track, own))
            count += total.count;
    return count;
}

/// Returns a filter for the samples of one row. If an event measures CPU time, the filter selects its samples, or only those of all
/// other events if `countsTime` is false. If no event measures CPU time, it selects the samples of all events. nullopt if the row
/// does not exist or no kind of samples is selected.
std::optional<SampleFilter> filterOf(const Timeline& timeline, TrackRef row, TimeRange range, bool countsTime = true)
{
    const Track* track = trackOf(timeline, row);
    if (!track)
        return {};
    SampleFilter filter;
    filter.ranges = {range};
    if (track->role == TrackRole::Cpu)
        filter.cpus = {{hostOf(timeline, traceOf(timeline, row)), track->cpu}};
    else
        filter.threads = {row};
    const SampleSet& samples = samplesIn(timeline, storeWithSamples(timeline, traceOf(timeline, row)));
    const std::size_t time = cpuTimeKind(samples);
    for (std::size_t kind = 0; kind < samples.kinds().size(); ++kind)
        if (samples.kinds()[kind].origin != SampleKind::Origin::OffCpu && (time == samples.kinds().size() || (kind == time) == countsTime))
            filter.kinds.push_back(samples.kinds()[kind].name);
    return filter.kinds.empty() ? std::nullopt : std::optional(filter);
}

constexpr Duration MostTicksOfAMoment{16};

struct Tick {
    Timestamp time;
    CodeMode mode = CodeMode::Unknown;
    bool countsTime = true;
};

constexpr std::pair<TrackRole, CodeMode> Ticks[] = {{TrackRole::SamplesUser, CodeMode::User},
                                                    {TrackRole::SamplesKernel, CodeMode::Kernel},
                                                    {TrackRole::SamplesOther, CodeMode::Unknown},
                                                    {TrackRole::SamplesEvents, CodeMode::Unknown}};

/// Returns the tick (mark of a sample) of the row nearest to `at`; of two at the same distance, the earlier one. nullopt if the row
/// has no ticks.
std::optional<Tick> nearestTick(const Timeline& timeline, TrackRef row, Timestamp at)
{
    std::optional<Tick> nearest;
    const auto distance = [at](Timestamp time) { return time < at ? at - time : time - at; };
    for (const auto& [role, mode] : Ticks) {
        const RowTicks ticks = ticksOf(timeline, row, role);
        if (!ticks.track.isValid())
            continue;
        for (const auto& found :
             {previousInterval(timeline, ticks.track, at), intervalAt(timeline, ticks.track, at), nextInterval(timeline, ticks.track, at)})
            if (!found.empty() && ticks.life.contains(found.front().range.begin)
                && (!nearest || distance(found.front().range.begin) < distance(nearest->time)))
                nearest = Tick{found.front().range.begin, mode, role != TrackRole::SamplesEvents};
    }
    return nearest;
}

void addStack(const Timeline& timeline, const StackProfile& profile, const CollectedStack& stack, NamedSample& sample,
              const std::stop_token& stop)
{
    const StackNames names = nameStacks(profile, timeline, {}, nullptr, stop);
    sample.isCut = stack.end != UnwindEnd::Complete;
    sample.isRead = true;
    for (std::uint32_t node = stack.node; node != 0; node = profile.nodes[node].parent)
        for (const NamedFrame& frame : names.framesOf(node))
            sample.stack.push_back({names.functions[static_cast<std::size_t>(frame.function)], frame.isInlined});
}

} // namespace

SampleCounts sampleCounts(const Timeline& timeline, TrackRef row, TimeRange range)
{
    return {countOf(timeline, row, TrackRole::SamplesUser, range), countOf(timeline, row, TrackRole::SamplesKernel, range),
            countOf(timeline, row, TrackRole::SamplesOther, range), countOf(timeline, row, TrackRole::SamplesEvents, range)};
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
    const std::optional<Tick> tick = nearestTick(timeline, row, at);
    if (!tick)
        return {};
    NamedSample sample{tick->time, tick->mode, {}, false, false};
    // Samples with equal times have ticks (marks) at successive times, at most MostTicksOfAMoment after the time of the samples. Therefore,
    // search from MostTicksOfAMoment before the tick.
    auto filter = filterOf(timeline, row, {tick->time - MostTicksOfAMoment, tick->time + Duration(1)}, tick->countsTime);
    if (!filter)
        return sample;
    if (tick->mode != CodeMode::Unknown)
        filter->modes = 1u << static_cast<unsigned>(tick->mode);
    const StackProfile profile = collectStacks(timeline, *filter, nullptr, stop);
    if (!profile.stacks.empty())
        addStack(timeline, profile, *std::ranges::max_element(profile.stacks, {}, &CollectedStack::first), sample, stop);
    return sample;
}

std::optional<SampledFunction> functionOfStack(const Timeline& timeline, StoreIndex store, StackId stack, std::stop_token stop)
{
    const auto nodes = storeAt(timeline, store).stacks().nodes();
    const auto isInlined = [&](StackId it) {
        const Module* const module = moduleAt(timeline, store, nodes[static_cast<std::size_t>(it)].frame().module);
        return module && isInlinedPart(*module);
    };
    if (stack == NoStack || static_cast<std::size_t>(stack) >= nodes.size())
        return {};
    // Number of inlined frames, from the innermost frame to the first frame that was not inlined and has an address of its own.
    std::size_t inlined = 0;
    for (; stack != NoStack && isInlined(stack); stack = nodes[static_cast<std::size_t>(stack)].parent())
        ++inlined;
    if (stack == NoStack)
        return {};
    StackProfile profile;
    profile.nodes.resize(2);
    profile.nodes[1].store = store;
    profile.nodes[1].frame = nodes[static_cast<std::size_t>(stack)].frame();
    const StackNames names = nameStacks(profile, timeline, {}, nullptr, stop);
    const auto frames = names.framesOf(1);
    if (inlined >= frames.size())
        return {};
    return names.functions[static_cast<std::size_t>(frames[frames.size() - 1 - inlined].function)];
}

std::optional<NamedSample> sampleOf(const Timeline& timeline, const EventRow& event, std::stop_token stop)
{
    SampleFilter filter;
    filter.ranges = {{event.time, event.time + Duration(1)}};
    for (const SampleKindFacts& it : sampleKinds(timeline))
        if (it.kind.origin == SampleKind::Origin::Event && it.kind.name == event.name)
            filter.kinds = {it.kind.name};
    if (filter.kinds.empty())
        return {};
    for (const CodeMode mode : {CodeMode::User, CodeMode::Kernel, CodeMode::Unknown}) {
        filter.modes = mode == CodeMode::Unknown ? ~0u : 1u << static_cast<unsigned>(mode);
        const StackProfile profile = collectStacks(timeline, filter, nullptr, stop);
        const auto isIt = [&](const CollectedStack& stack) {
            const SampledThread& thread = profile.threads[stack.thread];
            return thread.trace == event.trace && stack.cpu == event.cpu && (event.tid < 0 || thread.tid < 0 || thread.tid == event.tid);
        };
        if (const auto found = std::ranges::find_if(profile.stacks, isIt); found != profile.stacks.end()) {
            NamedSample sample{event.time, mode, {}, false, false};
            addStack(timeline, profile, *found, sample, stop);
            return sample;
        }
    }
    return {};
}

} // namespace helio
