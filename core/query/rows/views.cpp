#include "core/query/rows/views.h"

#include "core/experiment/timeline.h"

#include <algorithm>

namespace helio {
namespace {

bool appliesHere(const AnalysisKind& kind, const Timeline& timeline)
{
    return std::ranges::any_of(timeline.traces, [&](const TimelineTrace& t) { return t.trace && kind.appliesTo(*t.trace); });
}

std::string whyNone(const Timeline& timeline, std::string_view view)
{
    for (const TimelineTrace& t : timeline.traces)
        for (const Requirement& need : t.missing)
            if (need.view == view && need.isEssential)
                return need.consequence + (need.command.empty() ? "" : "; record more with: " + need.command);
    return "no trace here has events that it is made of";
}

} // namespace

std::vector<std::string> viewsOf(const Timeline& timeline)
{
    std::vector<std::string> views;
    const auto add = [&](std::string_view view) {
        if (!view.empty() && std::ranges::find(views, view) == views.end())
            views.emplace_back(view);
    };
    for (const AnalysisKind* kind : builtinAnalyses())
        for (const TrackView& view : kind->views)
            add(view.id);
    for (const TimelineTrace& t : timeline.traces)
        for (const Track& track : t.store ? t.store->tracks() : std::span<const Track>())
            add(track.view);
    return views;
}

std::vector<ViewFacts> viewFacts(const Timeline& timeline)
{
    std::vector<ViewFacts> all;
    for (const std::string& id : viewsOf(timeline)) {
        ViewFacts facts{id, id, {}, 0, {}};
        for (const AnalysisKind* kind : builtinAnalyses()) {
            const auto view = std::ranges::find(kind->views, id, &TrackView::id);
            if (view == kind->views.end())
                continue;
            facts.title = facts.title == id ? std::string(view->title) : facts.title;
            if (appliesHere(*kind, timeline))
                facts.analyses.emplace_back(kind->id);
        }
        const auto found = rows(timeline, id);
        facts.rows = static_cast<std::size_t>(std::ranges::count_if(found, [](const Row& row) { return row.ref.isValid(); }));
        if (facts.rows == 0)
            facts.missing = whyNone(timeline, id);
        all.push_back(std::move(facts));
    }
    return all;
}

} // namespace helio
