#include "core/analysis/analyses.h"

#include <algorithm>
#include <cassert>
#include <string>

namespace helio {

std::shared_ptr<const Analyses> Analyses::builtin()
{
    static const std::shared_ptr<const Analyses> all = [] {
        auto made = std::make_shared<Analyses>();
        std::vector<std::shared_ptr<const AnalysisKind>> waiting;
        for (const BuiltinAnalysis* item : builtinAnalyses())
            waiting.push_back(item->make());
        // builtinAnalyses() is ordered by folder name, so a kind may precede a kind that it needs. Each pass retries the kinds that add()
        // rejected.
        while (std::erase_if(waiting, [&](const auto& kind) { return bool(made->add(kind)); }) > 0)
            continue;
        assert(waiting.empty()); // Built-in kinds need only built-in kinds, so every kind was added.
        return made;
    }();
    return all;
}

Status Analyses::add(std::shared_ptr<const AnalysisKind> kind)
{
    const auto refused = [&](const std::string& why) {
        return Error{Error::Kind::Unsupported, "analysis \"" + std::string(kind->id()) + "\": " + why};
    };
    if (find(kind->id()))
        return refused("the name is already used");
    for (const auto& others : {kind->needs(), kind->uses()})
        for (const std::string_view other : others)
            if (!find(other))
                return refused("it needs the analysis \"" + std::string(other) + "\", which does not exist");
    m_kinds.push_back(std::move(kind));
    return Done{};
}

const AnalysisKind* Analyses::find(std::string_view id) const
{
    const auto found = std::ranges::find_if(m_kinds, [id](const auto& kind) { return kind->id() == id; });
    return found != m_kinds.end() ? found->get() : nullptr;
}

bool Analyses::doesRun(const AnalysisKind& kind, const Trace& trace) const
{
    const auto runs = [&](std::string_view id) {
        const AnalysisKind* other = find(id);
        return other && doesRun(*other, trace);
    };
    const auto applies = [&](std::string_view id) {
        const AnalysisKind* other = find(id);
        return other && !isOff(id) && other->appliesTo(trace);
    };
    // Evaluate yieldsTo() first, because it is cheap: if a kind in its result applies, appliesTo() and needs() need not be evaluated.
    return !isOff(kind.id()) && std::ranges::none_of(kind.yieldsTo(), applies) && kind.appliesTo(trace)
        && std::ranges::all_of(kind.needs(), runs);
}

std::vector<std::size_t> Analyses::runningOn(const Trace& trace) const
{
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < m_kinds.size(); ++i)
        if (doesRun(*m_kinds[i], trace))
            places.push_back(i);
    return places;
}

std::vector<TrackView> Analyses::views() const
{
    std::vector<TrackView> all;
    for (const auto& kind : m_kinds)
        for (const TrackView& view : kind->views())
            if (const auto known = std::ranges::find(all, view.id, &TrackView::id); known == all.end())
                all.push_back(view);
            else if (known->title.empty())
                *known = view;
    for (TrackView& view : all)
        if (view.title.empty())
            view.title = view.id;
    std::ranges::stable_sort(all, {}, &TrackView::order);
    return all;
}

} // namespace helio
