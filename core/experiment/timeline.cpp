#include "core/experiment/timeline.h"

#include <algorithm>

namespace helio {
namespace {

using Kinds = std::span<const std::shared_ptr<const AnalysisKind>>;

/// Returns the index of the kind with this id; kinds.size() if no kind has it.
std::size_t placeIn(Kinds kinds, std::string_view id)
{
    return static_cast<std::size_t>(std::ranges::find(kinds, id, [](const auto& kind) { return kind->id(); }) - kinds.begin());
}

/// True if the timeline has the store of the analysis, or if the analysis is missing or switched off in the timeline.
bool isThere(const Timeline& timeline, std::size_t trace, std::string_view id)
{
    const std::size_t kind = placeIn(timeline.analyses->all(), id);
    return kind == timeline.analyses->all().size() || timeline.analyses->isOff(id) || timeline.stores[placeOf(timeline, trace, kind)].store;
}

/// True if the timeline has all rows of `before` that correlators made after indexing.
bool hasRelationsOf(const Timeline& timeline, const Timeline& before, std::size_t trace)
{
    const auto rows = [trace](const Timeline& of, std::size_t kind) {
        return of.stores[static_cast<std::size_t>(rowsOf(of, trace, kind))].store;
    };
    const auto kinds = before.correlatorRegistry->all();
    for (std::size_t kind = 0; kind < kinds.size(); ++kind)
        if (kinds[kind]->when() == Correlator::When::Indexed && rows(before, kind))
            if (const auto now = timeline.correlatorRegistry->find(kinds[kind]->id()); now && !rows(timeline, *now))
                return false;
    return true;
}

} // namespace

bool containsAllOf(const Timeline& timeline, const Timeline& before)
{
    if (timeline.traces.size() != before.traces.size())
        return false;
    const Kinds kinds = before.analyses->all();
    for (std::size_t trace = 0; trace < before.traces.size(); ++trace) {
        if (before.traces[trace].facts && !timeline.traces[trace].facts)
            return false;
        for (std::size_t kind = 0; kind < kinds.size(); ++kind)
            if (before.stores[placeOf(before, trace, kind)].store && !isThere(timeline, trace, kinds[kind]->id()))
                return false;
        if (!hasRelationsOf(timeline, before, trace))
            return false;
    }
    return true;
}

} // namespace helio
