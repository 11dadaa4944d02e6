#include "core/latency/intervals/interval_source.h"

#include <algorithm>

namespace helio {

IntervalSources intervalSources(const std::shared_ptr<const Timeline>& timeline)
{
    IntervalSources all;
    for (const IntervalSourceFactory* factory : intervalSourceFactories())
        if (factory->list)
            factory->list(timeline, all);
    std::ranges::stable_sort(all, {}, [](const auto& it) { return it->kind().order; });
    IntervalSources kept;
    for (auto& it : all) {
        const auto hasId = [&](const auto& other) { return other && other->kind().id == it->kind().id; };
        const bool isHidden = !it->kind().areSegments
            && std::ranges::any_of(all, [&](const auto& other) { return hasId(other) && other->kind().areSegments; });
        if (!isHidden && std::ranges::none_of(kept, hasId))
            kept.push_back(std::move(it));
    }
    return kept;
}

Result<std::unique_ptr<IntervalSource>> findIntervalSource(const std::shared_ptr<const Timeline>& timeline, std::string_view id,
                                                           const std::vector<std::string>& views)
{
    for (auto& it : intervalSources(timeline))
        if (it->kind().id == id)
            return std::move(it);
    for (const IntervalSourceFactory* factory : intervalSourceFactories())
        if (factory->parse)
            if (auto source = factory->parse(timeline, id, views); !source || *source)
                return source;
    return std::unique_ptr<IntervalSource>();
}

} // namespace helio
