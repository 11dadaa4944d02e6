#include "core/compare/subject.h"

#include "core/experiment/timeline.h"
#include "core/query/rows/frame_text.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/thread_cpu_times.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace helio {
namespace {

/// Returns the calling thread of a row of calls: the thread's row of states, or else, if states were not recorded, the parent of the calls'
/// rows.
std::optional<Row> threadOfCalls(const Timeline& timeline, const Row& calls, TimeRange within, std::stop_token stop)
{
    const TrackRef states = ThreadCpuTimes(timeline, within, std::move(stop)).rowOf(calls.ref, within);
    const TrackRef without{calls.ref.store, threadTrack(storeAt(timeline, calls.ref.store), calls.ref.track)};
    return rowOf(timeline, states.isValid() ? states : without);
}

std::set<std::string_view> inlinedFunctions(const StackNames& names)
{
    std::set<std::string_view> inlined;
    for (const NamedFrame& frame : names.frames)
        if (frame.isInlined)
            inlined.insert(names.functions[static_cast<std::size_t>(frame.function)].name);
    return inlined;
}

bool hasMostOf(const StackNames& names, const std::set<std::string_view>& functions)
{
    std::set<std::string_view> own;
    for (const SampledFunction& function : names.functions)
        own.insert(function.name);
    return 2 * std::ranges::count_if(functions, [&](std::string_view name) { return own.contains(name); }) > std::ssize(functions);
}

/// Removes samples of processes that do not execute `program` yet, e.g. between fork and exec. The profile contains them if another process
/// runs `program` at the same time.
void dropOtherPrograms(StackProfile& profile, std::string_view program)
{
    std::erase_if(profile.stacks, [&](const CollectedStack& stack) {
        const SampledThread& thread = profile.threads[stack.thread];
        const bool isOther = thread.tid == thread.pid && thread.comm != program;
        if (isOther) {
            profile.samples -= stack.samples;
            profile.weight -= stack.weight;
        }
        return isOther;
    });
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
        for (const Row& child : run.children)
            filter.processes.push_back(child.ref);
    }
    if (runs.empty())
        filter.ranges.emplace_back(); // Add an empty range, which accepts no samples. A filter without ranges accepts all samples.
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
    // True if the node or one of its callers belongs to the function. Indexed by node.
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

SideNames nameSides(const StackProfile& ofA, const Timeline& a, const StackProfile& ofB, const Timeline& b, QueryProgress* progress,
                    std::stop_token stop)
{
    SideNames names{nameStacks(ofA, a, {}, progress, stop), nameStacks(ofB, b, {}, progress, stop), false, false};
    const auto inA = inlinedFunctions(names.a);
    const auto inB = inlinedFunctions(names.b);
    if (inA.empty() == inB.empty() || ofA.samples == 0 || ofB.samples == 0)
        return names;
    names.isOfA = inA.empty();
    names.omitsInlined = names.isOfA ? !hasMostOf(names.a, inB) : !hasMostOf(names.b, inA);
    if (names.omitsInlined)
        (names.isOfA ? names.b : names.a) =
            names.isOfA ? nameStacks(ofB, b, {false}, progress, stop) : nameStacks(ofA, a, {false}, progress, stop);
    return names;
}

StackProfile collectRuns(const Timeline& timeline, const Subject& subject, std::span<const ProcessRun> runs, SampleFilter filter,
                         QueryProgress* progress, std::stop_token stop)
{
    const SampleFilter own = samplesOf(timeline, subject, runs);
    filter.ranges = own.ranges;
    filter.threads = own.threads;
    filter.processes = own.processes;
    StackProfile profile = collectStacks(timeline, filter, progress, stop);
    if (!subject.thread.isValid())
        dropOtherPrograms(profile, subject.program);
    return profile;
}

bool areCountColumns(const Timeline& a, const Timeline& b)
{
    const auto identity = [](const Timeline& t) {
        return t.traces.size() == 1 && t.traces[0].trace ? t.traces[0].trace->info().identity : std::string();
    };
    const auto kinds = sampleKinds(a);
    return kinds.size() == 2 && kinds[0].kind.origin == SampleKind::Origin::Counted && !identity(a).empty() && identity(a) == identity(b);
}

std::pair<SampleKind, SampleKind> comparedKinds(const Timeline& a, const Timeline& b)
{
    const auto ofA = sampleKinds(a);
    const auto ofB = sampleKinds(b);
    if (areCountColumns(a, b))
        return {ofA[0].kind, ofA[1].kind};
    const auto isCpuTime = [](const SampleKind& kind) { return kind.isTime && kind.origin == SampleKind::Origin::Event; };
    for (const SampleKindFacts& it : ofA) {
        auto same = std::ranges::find(ofB, it.kind.name, [](const SampleKindFacts& other) { return other.kind.name; });
        // Match any kind of CPU time, because the name may contain the sampling frequency, e.g. "cpu-clock/freq=999/".
        if (same == ofB.end() && isCpuTime(it.kind))
            same = std::ranges::find_if(ofB, isCpuTime, [](const SampleKindFacts& other) { return other.kind; });
        if (same != ofB.end())
            return {it.kind, same->kind};
    }
    return {ofA.empty() ? SampleKind{} : ofA.front().kind, ofB.empty() ? SampleKind{} : ofB.front().kind};
}

} // namespace helio
