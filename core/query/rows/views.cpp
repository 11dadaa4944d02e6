#include "core/query/rows/views.h"

#include "core/correlation/correlator_registry.h"
#include "core/query/rows/messages.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <set>

namespace helio {
namespace {

bool runsHere(const AnalysisKind& kind, const Timeline& timeline)
{
    return std::ranges::any_of(timeline.traces,
                               [&](const TimelineTrace& t) { return t.trace && timeline.analyses->doesRun(kind, *t.trace); });
}

bool hasView(std::span<const TrackView> views, std::string_view id) { return std::ranges::find(views, id, &TrackView::id) != views.end(); }

/// Returns the number of series that a view of curves shows.
std::size_t countSeries(const Timeline& timeline, std::string_view view)
{
    std::size_t count = 0;
    forEachStore(timeline, [&](StoreIndex, const Store& store, const TimelineTrace&) {
        count += static_cast<std::size_t>(std::ranges::count(store.counters().series(), view, &CounterSeries::view));
    });
    return count;
}

std::size_t countRows(const Timeline& timeline, std::string_view view)
{
    const auto found = rows(timeline, view);
    return static_cast<std::size_t>(std::ranges::count_if(found, [](const Row& row) { return row.ref.isValid(); }));
}

/// Returns the ids of the views that tracks and counters of the stores belong to.
/// Cost: one pass over all tracks and counters.
std::set<std::string_view> viewsInStores(const Timeline& timeline)
{
    std::set<std::string_view> views;
    const auto add = [&views](const auto& items) {
        std::string_view last; // Most items belong to the view of the item before them, or to none.
        for (const auto& item : items)
            if (!item.view.empty() && item.view != last)
                views.insert(last = item.view);
    };
    forEachStore(timeline, [&](StoreIndex, const Store& store, const TimelineTrace&) {
        add(store.tracks());
        add(store.counters().series());
    });
    return views;
}

/// Returns the ids of the analyses and correlators that make the view's rows from the traces of the timeline, analyses first.
std::vector<std::string> makersOf(const Timeline& timeline, std::string_view view)
{
    std::vector<std::string> makers;
    for (const auto& kind : timeline.analyses->all())
        if (hasView(kind->views(), view) && runsHere(*kind, timeline))
            makers.emplace_back(kind->id());
    for (const auto& kind : timeline.correlatorRegistry->all())
        if (hasView(kind->views(), view)
            && kind->when() != Correlator::When::Asked
            // Correlators of type Asked are left out, because they run only on request.
            && kind->appliesTo(timeline))
            makers.emplace_back(kind->id());
    return makers;
}

} // namespace

std::vector<ViewMissingEvents> findMissingEvents(const Timeline& timeline, std::string_view view)
{
    std::vector<ViewMissingEvents> lacks;
    for (std::uint32_t i = 0; i < timeline.traces.size(); ++i) {
        const TimelineTrace& t = timeline.traces[i];
        const std::size_t before = lacks.size();
        for (const MissingEvents& need : t.missing)
            if (need.view == view && need.isEssential)
                lacks.push_back({i, &need});
        const auto makesRows = [&](const auto& kind) {
            return hasView(kind->views(), view) && timeline.analyses->doesRun(*kind, *t.trace);
        };
        if (lacks.size() == before && t.trace && std::ranges::any_of(timeline.analyses->all(), makesRows))
            return {};
    }
    return lacks;
}

std::string noRowsReason(const Timeline& timeline, std::string_view view)
{
    for (const auto& kind : timeline.correlatorRegistry->all())
        if (hasView(kind->views(), view) && kind->when() == Correlator::When::Shown && kind->appliesTo(timeline))
            return "its rows are computed on display: in the window, or with heliograph render --view " + std::string(view);
    for (const auto& kind : timeline.correlatorRegistry->all())
        if (hasView(kind->views(), view) && kind->when() == Correlator::When::Asked && kind->appliesTo(timeline))
            return "its rows are computed on request: heliograph " + std::string(kind->id()) + " TRACE --thread TID";
    if (const std::vector<ViewMissingEvents> lacks = findMissingEvents(timeline, view); !lacks.empty())
        return lacks.front().need->consequence + lacks.front().need->advice().suffix();
    const std::string nothing = viewDescription(timeline, view).nothing;
    if (makersOf(timeline, view).empty() || nothing.empty())
        return "no trace has the events this view needs";
    const std::string advice = adviseRecordingOf(timeline, view);
    return nothing + (advice.empty() ? "" : ' ' + advice);
}

std::vector<std::string> viewsOf(const Timeline& timeline)
{
    std::vector<std::string> views;
    const auto add = [&](std::string_view view) {
        if (!view.empty() && std::ranges::find(views, view) == views.end())
            views.emplace_back(view);
    };
    for (const auto& kind : timeline.analyses->all())
        for (const TrackView& view : kind->views())
            add(view.id);
    for (const auto& kind : timeline.correlatorRegistry->all())
        for (const TrackView& view : kind->views())
            add(view.id);
    forEachStore(timeline, [&](StoreIndex, const Store& store, const TimelineTrace&) {
        for (const Track& track : store.tracks())
            add(track.view);
        for (const CounterSeries& series : store.counters().series())
            add(series.view);
    });
    return views;
}

std::vector<std::string> viewsOfStates(const Timeline& timeline)
{
    std::vector<std::string> views = viewsOf(timeline);
    for (const auto& kind : timeline.correlatorRegistry->all())
        for (const TrackView& shown : kind->views())
            if (kind->when() == Correlator::When::Asked || (kind->when() == Correlator::When::Shown && shown.areCalls))
                std::erase(views, shown.id);
    return views;
}

std::vector<TrackView> describedViews(const Timeline& timeline)
{
    std::vector<TrackView> views = timeline.analyses->views();
    for (const auto& kind : timeline.correlatorRegistry->all())
        for (const TrackView& view : kind->views())
            if (!hasView(views, view.id))
                views.push_back(view);
    std::ranges::stable_sort(views, {}, &TrackView::order);
    return views;
}

bool isBuiltinView(std::string_view id)
{
    const auto has = [id](const auto& kind) { return hasView(kind->views(), id); };
    return std::ranges::any_of(Analyses::builtin()->all(), has) || std::ranges::any_of(CorrelatorRegistry::builtin()->all(), has);
}

std::vector<TrackView> basicViews()
{
    std::vector<TrackView> views = Analyses::builtin()->views();
    std::erase_if(views, [](const TrackView& view) { return !view.isBasic; });
    return views;
}

std::vector<TrackView> offeredViews(const Timeline& timeline)
{
    std::vector<TrackView> views = describedViews(timeline);
    const std::set<std::string_view> stored = viewsInStores(timeline);
    std::erase_if(views,
                  [&](const TrackView& view) { return !view.isBasic && !stored.contains(view.id) && makersOf(timeline, view.id).empty(); });
    return views;
}

TrackView viewDescription(const Timeline& timeline, std::string_view id)
{
    const std::vector<TrackView> all = describedViews(timeline);
    const auto found = std::ranges::find(all, id, &TrackView::id);
    if (found != all.end())
        return *found;
    const bool isOfCounters = countSeries(timeline, id) > 0;
    return {.id = std::string(id), .title = std::string(id), .shape = isOfCounters ? TrackView::Shape::Curves : TrackView::Shape::Rows};
}

std::vector<ViewFacts> viewFacts(const Timeline& timeline)
{
    std::vector<ViewFacts> all;
    for (const std::string& id : viewsOf(timeline)) {
        const TrackView view = viewDescription(timeline, id);
        ViewFacts facts{id, view.title, makersOf(timeline, id), view.shape, view.areCalls, view.isAttributeView, 0, {}};
        facts.rows = view.shape == TrackView::Shape::Curves ? countSeries(timeline, id) : countRows(timeline, id);
        if (facts.rows == 0)
            facts.missing = noRowsReason(timeline, id);
        all.push_back(std::move(facts));
    }
    return all;
}

} // namespace helio
