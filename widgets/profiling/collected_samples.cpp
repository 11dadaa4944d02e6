#include "widgets/profiling/collected_samples.h"

#include "widgets/async/discard.h"

#include <algorithm>
#include <utility>

namespace helio {

std::vector<SampleKindFacts> shownKinds(const Timeline& timeline)
{
    std::vector<SampleKindFacts> kinds = sampleKinds(timeline);
    const std::vector<std::string> names = offCpuKinds(kinds);
    const auto isOffCpu = [](const SampleKindFacts& it) { return it.kind.origin == SampleKind::Origin::OffCpu; };
    const auto first = std::ranges::find_if(kinds, isOffCpu);
    if (names.size() < 2 || first == kinds.end())
        return kinds;
    SampleKindFacts all{first->kind, 0};
    all.kind.name = AllOffCpu;
    for (const SampleKindFacts& it : kinds)
        all.samples += std::ranges::find(names, it.kind.name) == names.end() ? 0 : it.samples;
    kinds.insert(first, all);
    return kinds;
}

std::vector<std::string> CollectedSamples::kindsOf(const std::string& kind) const
{
    return kind == AllOffCpu ? offCpuKinds(sampleKinds(*timeline)) : std::vector{kind};
}

void freeSamples(CollectedSamples samples)
{
    // The timeline is released on this thread, not on the thread that frees the samples. The ViewContext owns the timeline and must close
    // it on this thread.
    samples.timeline.reset();
    const std::size_t parts = samples.profile ? samples.profile->stacks.size() + samples.profile->nodes.size() : 0;
    discard(std::move(samples), parts);
}

} // namespace helio
