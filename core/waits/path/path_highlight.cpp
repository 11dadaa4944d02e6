#include "core/waits/path/path_highlight.h"

#include "core/query/rows/row_notes.h"
#include "core/query/rows/timeline_access.h"
#include "core/virtualization/bindings.h"
#include "core/waits/path/explain_wait.h"

#include <algorithm>
#include <map>
#include <set>

namespace helio {
namespace {

/// Maximum number of segments of a path with arrows. Longer paths get no arrows, because the arrows would cover the view at any zoom that
/// shows the whole path.
constexpr std::size_t MostWithArrows = 200'000;

RelationIndex pathRelation(const Timeline& timeline)
{
    RelationIndex found = NoRelation;
    forEachInterTraceLinks(timeline, [&](RelationIndex index, const InterTraceLinks& links) {
        const auto isPath = [](const LinkKindInfo& kind) { return std::ranges::find(kind.views, PathRelation) != kind.views.end(); };
        if (std::ranges::any_of(links.kinds(), isPath))
            found = index;
    });
    return found;
}

/// Returns the rows of CPUs, keyed by store and CPU number.
std::map<std::pair<StoreIndex, std::int32_t>, TrackRef> cpuRows(const Timeline& timeline)
{
    std::map<std::pair<StoreIndex, std::int32_t>, TrackRef> rows;
    forEachStore(timeline, [&](StoreIndex index, const Store& store, const TimelineTrace&) {
        forEachTrack(index, store, TrackRole::Cpu,
                     [&](TrackRef ref, const Track& track) { rows.emplace(std::pair(index, track.cpu), ref); });
    });
    return rows;
}

/// Sorts ranges and merges adjacent ranges.
void putTogether(std::vector<TimeRange>& ranges)
{
    std::ranges::sort(ranges, {}, &TimeRange::begin);
    std::size_t last = 0;
    for (std::size_t i = 1; i < ranges.size(); ++i)
        if (ranges[i].begin <= ranges[last].end)
            ranges[last].end = std::max(ranges[last].end, ranges[i].end);
        else
            ranges[++last] = ranges[i];
    ranges.resize(ranges.empty() ? 0 : last + 1);
}

void addSteps(const Timeline& timeline, const CriticalPath& path, HighlightMask& light)
{
    const bool areTooMany = path.segments.size() > MostWithArrows;
    const RelationIndex relation = areTooMany ? NoRelation : pathRelation(timeline);
    forEachWaitStep(timeline, path, [&](WaitStep&& step) {
        if (step.isFollowed)
            return;
        if (!light.steps.empty() && light.steps.back().row != step.row && relation != NoRelation) {
            Arrow arrow;
            arrow.kind = LinkKind::FirstOwn;
            arrow.from = light.steps.back().row;
            arrow.to = step.row;
            arrow.fromTime = arrow.toTime = step.range.begin;
            arrow.detail = std::move(step.words);
            arrow.relation = relation;
            light.arrows.push_back(std::move(arrow));
        }
        light.steps.push_back({step.range, step.row});
    });
}

/// Also highlights rows that repeat a highlighted row: rows of vCPUs in views of virtual machines repeat the rows of their threads.
void addShowing(const Timeline& timeline, HighlightMask& light)
{
    const auto shown = repeatedRowPairs(timeline);
    const auto recorded = light.rows;
    std::set<TrackRef> added;
    const auto add = [&](TrackRef source, TrackRef row) {
        const auto lit = recorded.find(source);
        if (lit == recorded.end())
            return;
        auto& ranges = light.rows[row];
        ranges.insert(ranges.end(), lit->second.begin(), lit->second.end());
        added.insert(row);
    };
    for (const auto& [source, row] : shown)
        add(source, row);
    const std::map<TrackRef, TrackRef> bySource(shown.begin(), shown.end());
    for (const VirtualMachine& machine : findVirtualMachines(timeline))
        // If the path is of a guest's thread, highlight the rows of the vCPUs on which the thread ran.
        for (const VcpuBinding& vcpu : machine.vcpus)
            if (const auto row = bySource.find(vcpu.thread); row != bySource.end())
                add(vcpu.guestCpu, row->second);
    for (const TrackRef row : added)
        putTogether(light.rows[row]);
}

} // namespace

HighlightMask highlightPath(const Timeline& timeline, const CriticalPath& path)
{
    HighlightMask light;
    const auto cpus = cpuRows(timeline);
    const auto isRun = [](PathKind kind) { return kind <= PathKind::PageFault; };
    for (const PathSegment& it : path.segments) {
        light.rows[it.row].push_back(it.range);
        if (const auto cpu = cpus.find({it.row.store, it.cpu}); isRun(it.kind) && cpu != cpus.end())
            light.rows[cpu->second].push_back(it.range);
    }
    for (const PathSegment& it : path.expandedWaits)
        light.rows[it.row].push_back(it.range);
    for (auto& [row, ranges] : light.rows)
        putTogether(ranges);
    addShowing(timeline, light);
    addSteps(timeline, path, light);
    return light;
}

HighlightMask highlightPath(const Timeline& timeline, const PathRequest& question, std::stop_token stop)
{
    return highlightPath(timeline, criticalPath(timeline, question.thread, rangeOf(timeline, question), stop));
}

} // namespace helio
