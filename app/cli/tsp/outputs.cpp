#include "app/cli/tsp/outputs.h"

#include "core/counters/counters.h"
#include "core/query/rows/rows.h"
#include "core/query/rows/views.h"

#include <algorithm>

namespace helio {
namespace {

ServedOutput makeEvents() { return {std::string(EventsOutput), "Events", "All events in time order", OutputType::Table, {}}; }

ServedOutput makeHistogram() { return {std::string(HistogramOutput), "Histogram", "Number of events over time", OutputType::Chart, {}}; }

ServedOutput makeCpuUsage()
{
    return {std::string(CpuUsageOutput), "CPU usage", "Share of time in which the CPUs of each host were busy", OutputType::Chart, {}};
}

ServedOutput makeEventCounts()
{
    return {std::string(EventCountsOutput), "Event statistics", "Number of events of each type", OutputType::DataTree, {}};
}

ServedOutput makeViewOutput(const TrackView& view)
{
    const std::string title = view.title.empty() ? view.id : view.title;
    const bool hasRows = view.shape == TrackView::Shape::Rows;
    return {view.id, title, view.tip.empty() ? title : view.tip, hasRows ? OutputType::TimeGraph : OutputType::Chart, view.id};
}

ServedOutput makeStateTimes(const TrackView& view)
{
    const std::string title = view.title.empty() ? view.id : view.title;
    return {std::string(StateTimesPrefix) + view.id, title + ": durations", "Number and duration of the states of each row",
            OutputType::DataTree, view.id};
}

/// True if the view has anything to show, or may get it while the traces are indexed.
bool mayHaveContent(const Timeline& timeline, const TrackView& view)
{
    if (!timeline.isComplete)
        return true;
    return view.shape == TrackView::Shape::Rows ? !rows(timeline, view.id).empty() : !viewSeries(timeline, view.id).empty();
}

} // namespace

std::vector<ServedOutput> outputsOf(const Timeline& timeline)
{
    std::vector<ServedOutput> outputs{makeEvents(), makeHistogram(), makeEventCounts()};
    if (!cpus(timeline).empty())
        outputs.push_back(makeCpuUsage());
    std::vector<TrackView> views = offeredViews(timeline);
    std::erase_if(views, [&](const TrackView& view) { return !mayHaveContent(timeline, view); });
    for (const TrackView& view : views)
        outputs.push_back(makeViewOutput(view));
    for (const TrackView& view : views)
        if (view.shape == TrackView::Shape::Rows && !view.isAttributeView)
            outputs.push_back(makeStateTimes(view));
    return outputs;
}

std::optional<ServedOutput> findOutput(const Timeline& timeline, std::string_view id)
{
    for (const ServedOutput& own : {makeEvents(), makeHistogram(), makeEventCounts(), makeCpuUsage()})
        if (own.id == id)
            return own;
    const bool areTimes = id.starts_with(StateTimesPrefix);
    const std::string_view view = areTimes ? id.substr(StateTimesPrefix.size()) : id;
    const std::vector<std::string> known = viewsOf(timeline);
    if (std::ranges::find(known, view) == known.end())
        return {};
    const TrackView description = viewDescription(timeline, view);
    if (areTimes)
        return description.shape == TrackView::Shape::Rows ? std::optional(makeStateTimes(description)) : std::nullopt;
    return makeViewOutput(description);
}

std::string_view wordOf(OutputType type)
{
    switch (type) {
    case OutputType::TimeGraph: return "TIME_GRAPH";
    case OutputType::Chart: return "TREE_TIME_XY";
    case OutputType::Table: return "TABLE";
    case OutputType::DataTree: return "DATA_TREE";
    }
    return {};
}

} // namespace helio
