#include "core/compare/program_samples.h"

#include "core/experiment/timeline.h"

#include <algorithm>

namespace helio {
namespace {

/// Removes the samples of processes that had not executed the program yet, while another process already ran it.
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
        if (same == ofB.end() && isCpuTime(it.kind)) // The name may contain the sampling frequency: "cpu-clock/freq=999/".
            same = std::ranges::find_if(ofB, isCpuTime, [](const SampleKindFacts& other) { return other.kind; });
        if (same != ofB.end())
            return {it.kind, same->kind};
    }
    return {ofA.empty() ? SampleKind{} : ofA.front().kind, ofB.empty() ? SampleKind{} : ofB.front().kind};
}

} // namespace helio
