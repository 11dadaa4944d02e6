#include "app/cli/report/report.h"
#include "core/latency/intervals/interval_source.h"
#include "core/profiling/samples/sample_stacks.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/rows.h"
#include "core/query/rows/views.h"

#include <algorithm>
#include <iterator>

namespace helio {

namespace {

constexpr std::size_t MostKinds = 12; ///< Maximum number of kinds of intervals with tables of durations.
constexpr std::size_t MostSampleKinds = 3; ///< Maximum number of kinds of samples with flame graphs.

using Words = std::vector<std::string>;

using States = std::map<std::string, StateKind, std::less<>>;

/// Returns an expression that rejects the states of rest, for --filter; empty if there are none.
std::string activeStates(const States& states)
{
    std::string filter;
    for (const auto& [name, state] : states)
        if (isAtRest(state))
            filter += (filter.empty() ? "state != \"" : " && state != \"") + name + '"';
    return filter;
}

Words withFilter(Words words, const std::string& filter)
{
    if (!filter.empty())
        words.insert(words.end(), {"--filter", filter});
    return words;
}

/// Returns the names of the states in which threads wait for something that they need.
std::vector<std::string> waitStates(const States& states)
{
    std::vector<std::string> names;
    for (const auto& [name, state] : states)
        if (state.meaning == StateCategory::WaitsForCpu || state.meaning == StateCategory::Preempted
            || state.meaning == StateCategory::Waits || state.meaning == StateCategory::Throttled)
            names.push_back(name);
    return names;
}

ReportSection viewSection(const Timeline& timeline, const ViewFacts& view)
{
    ReportSection section{view.title, {{{}, {"render", "--view", view.id}}}};
    if (view.shape == TrackView::Shape::Curves || view.areCalls)
        return section;
    const auto states = occurringStates(timeline, view.id, rangeOf(timeline));
    if (std::ranges::all_of(states, [](const auto& it) { return isAtRest(it.second); }))
        return section;
    const bool areThreads = view.id == findViewWithRole(timeline, TrackRole::Thread);
    const std::string filter = activeStates(states);
    if (areThreads)
        section.parts.push_back({"Time by process and state", withFilter({"stats", "--by", "process"}, filter), "total_ns", 25});
    section.parts.push_back({"Time by row and state", withFilter({"stats", "--view", view.id}, filter), "total_ns", 40});
    if (areThreads)
        for (const std::string& state : waitStates(states))
            section.parts.push_back(
                {"Longest in state “" + state + "”", {"latency", "--of", "state:" + state, "--list"}, "duration_ns", 10});
    return section;
}

void addSamples(const Timeline& timeline, std::vector<ReportSection>& sections)
{
    ReportSection samples{"Functions", {}};
    for (const SampleKindFacts& it : sampleKinds(timeline)) {
        if (it.samples == 0 || samples.parts.size() >= 2 * MostSampleKinds)
            continue;
        const Words choice = areCalls(it.kind) ? Words{"--by", "wall"} : Words{"--event", it.kind.name};
        Words picture{"render", "--view", "flame"};
        Words table{"flame", "--table"};
        picture.insert(picture.end(), choice.begin(), choice.end());
        table.insert(table.end(), choice.begin(), choice.end());
        const auto isSame = [&](const ReportPart& part) { return part.words == picture; };
        if (std::ranges::any_of(samples.parts, isSame))
            continue; // Kinds of calls share one flame graph.
        samples.parts.push_back({"Flame graph: " + it.label(), std::move(picture)});
        samples.parts.push_back({"Functions: " + it.label(), std::move(table), {}, 30});
    }
    sections.push_back(std::move(samples));
}

void addDurations(const std::shared_ptr<const Timeline>& timeline, std::vector<ReportSection>& sections)
{
    ReportSection durations{"Durations", {}};
    std::size_t kinds = 0;
    for (const auto& source : intervalSources(timeline)) {
        const IntervalKind& kind = source->kind();
        if (++kinds > MostKinds)
            break;
        durations.parts.push_back({kind.title, {"latency", "--of", kind.id, "--histogram", "--log", "--buckets", "60"}, {}, 100});
        durations.parts.push_back({{}, {"latency", "--of", kind.id}, "total_ns", 20, {"min_at_ns"}});
    }
    sections.push_back(std::move(durations));
}

} // namespace

bool isReportCommand(std::string_view command)
{
    constexpr std::string_view Commands[]{"annotate", "connections", "counters", "critical-path", "events",    "findings", "flame",
                                          "heap",     "ipc",         "latency",  "links",         "lock-stat", "locks",    "migrations",
                                          "render",   "sql",         "states",   "stats",         "tracks",    "views",    "vm"};
    return std::ranges::find(Commands, command) != std::end(Commands);
}

std::vector<ReportSection> reportSections(const std::shared_ptr<const Timeline>& timeline)
{
    std::vector<ReportSection> sections;
    if (hasTimes(*timeline))
        sections.push_back({"What stands out", {{{}, {"findings"}, {}, 200}}});
    std::vector<ViewFacts> views = viewFacts(*timeline);
    std::vector<std::string> order;
    for (const TrackView& view : offeredViews(*timeline))
        order.push_back(view.id);
    std::erase_if(views, [&](const ViewFacts& view) {
        return view.rows == 0 || view.isAttributeView || std::ranges::find(order, view.id) == order.end();
    });
    std::ranges::stable_sort(views, {}, [&](const ViewFacts& view) { return std::ranges::find(order, view.id) - order.begin(); });
    if (hasTimes(*timeline))
        for (const ViewFacts& view : views)
            sections.push_back(viewSection(*timeline, view));
    // Adds parts to the section of a view; makes a section of its own if the recording has no rows for the view.
    const auto add = [&](const char* view, const char* title, std::vector<ReportPart> parts) {
        const auto isOfView = [&](const ReportSection& it) {
            return !it.parts.empty() && it.parts.front().words == Words{"render", "--view", view};
        };
        const auto found = std::ranges::find_if(sections, isOfView);
        ReportSection& section = found != sections.end() ? *found : sections.emplace_back(ReportSection{title, {}});
        std::ranges::move(parts, std::back_inserter(section.parts));
    };
    addSamples(*timeline, sections);
    if (hasTimes(*timeline))
        addDurations(timeline, sections);
    add("locks", "Locks",
        {{"Contention by lock", {"locks"}, "wait_total_ns", 20},
         {"Threads that made others wait", {"locks", "--culprits"}, "made_wait_ns", 20}});
    sections.push_back({"Memory", {{{}, {"heap", "--leaks"}, {}, 20}}});
    sections.push_back({"Network", {{{}, {"connections"}, {}, 30}}});
    add("vm", "Virtual machines",
        {{"vCPUs", {"vm", "--vcpus"}, {}, 40},
         {"Threads that took the CPU of a vCPU", {"vm", "--culprits"}, "total_ns", 20},
         {"Time that guest threads lost", {"vm", "--steal"}, "stolen_ns", 20},
         {"VM exits", {"vm", "--exits"}, "total_ns", 20}});
    return sections;
}

} // namespace helio
