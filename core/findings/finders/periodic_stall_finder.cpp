#include "core/event_model/segment_fields.h"
#include "core/event_model/segment_kinds.h"
#include "core/findings/file_calls.h"
#include "core/findings/finder.h"
#include "core/findings/occurrences.h"
#include "core/latency/periods/periodicity.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/statistics.h"
#include "core/query/rows/timeline_access.h"
#include "core/query/segments/segments.h"
#include "core/query/segments/state_intervals.h"
#include "core/waits/path/wait_causes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace helio {
namespace {

constexpr Duration LeastStall = std::chrono::milliseconds(1); ///< Minimum duration of a stall.
/// Minimum period. Timers of the kernel expire at ticks, every 10 ms at most, so that shorter periods are no surprise.
constexpr Duration LeastPeriod = std::chrono::milliseconds(20);
constexpr double LeastInPhase = 0.75; ///< Minimum share of the stalls that are in phase; 0.2 by chance.
const double MostLogChance = std::log(1e-6); ///< Maximum logarithm of the probability that stalls without a period show such a period.
constexpr std::size_t MostSearched = 4'096; ///< Maximum number of stalls of a group that are searched, the longest; more cost much time.
constexpr std::size_t MostGroups = 12; ///< Maximum number of groups that are searched, those with the most time.
constexpr std::size_t MostNamed = 2; ///< Maximum number of further groups with the same period that a finding names.
constexpr std::size_t MostPeriods = 3; ///< Maximum number of findings.

/// Stalls of one kind, in which a period is searched.
struct StallGroup {
    std::string name; ///< Plural at the beginning of a sentence, for example "Disk reads of vdb".
    std::uint32_t host = 0;
    std::string color;
    bool isWait = false;
    Occurrences stalls;
};

/// A group with its period, and the stalls that are in phase.
struct PeriodicGroup {
    const StallGroup* group = nullptr;
    Periodicity period;
    Occurrences inPhase;
};

bool canLookForPeriods(const FindingScope& scope)
{
    return findSegmentKind(scope.timeline(), DiskRequests) || hasFileCalls(scope)
        || std::ranges::any_of(scope.threads(),
                               [&](const Row& row) { return findState(scope.timeline(), row.ref, "blocked").has_value(); });
}

/// Returns the disk requests of at least LeastStall, by disk and operation.
void addDiskRequests(const FindingScope& scope, std::vector<StallGroup>& groups)
{
    const Timeline& timeline = scope.timeline();
    std::map<std::tuple<std::uint32_t, std::string, std::string>, StallGroup> disks;
    const auto take = [&](const Segment& it) {
        if (it.range.duration() < LeastStall || it.range != it.range.clippedTo(scope.window()))
            return;
        if (!scope.isOfAllRows() && !scope.accepts(rowOf(timeline, it)))
            return;
        const std::string disk = fieldOf(fieldsOf(timeline, it), "disk").value_or(std::string());
        const std::string operation(nameOf(timeline, it));
        const std::uint32_t host = timeline.traces[traceOf(timeline, it.store)].host;
        StallGroup& group = disks[{host, disk, operation}];
        if (group.name.empty())
            group = {"Disk " + operation
                         + (operation == "flush"       ? "es"
                                : operation == "other" ? " requests"
                                                       : "s")
                         + " of " + disk,
                     host, "disk." + operation};
        group.stalls.add(it.range, it.row());
    };
    forEachSegment(timeline, DiskRequests, scope.window(), take, scope.stop());
    for (auto& [key, group] : disks)
        groups.push_back(std::move(group));
}

void addFileCalls(const FindingScope& scope, std::vector<StallGroup>& groups)
{
    for (const auto& [key, calls] : scope.fileCalls()) {
        StallGroup group{"Calls of " + key.second, key.first, "path.disk", true};
        for (const Occurrences::Occurrence& it : calls.all())
            if (it.range.duration() >= LeastStall)
                group.stalls.add(it.range, it.row);
        groups.push_back(std::move(group));
    }
}

/// Adds the uninterruptible waits of each process; those of kernel threads are often periodic by design.
void addBlockedWaits(const FindingScope& scope, std::vector<StallGroup>& groups)
{
    const Timeline& timeline = scope.timeline();
    struct BlockedProcess {
        std::vector<RowState> threads;
        Duration total{};
        StallGroup group;
    };
    std::map<std::pair<std::uint32_t, std::int32_t>, BlockedProcess> processes;
    for (const Row& row : scope.threads()) {
        const auto blocked = row.isKernelThread ? std::nullopt : findState(timeline, row.ref, "blocked");
        if (!blocked || scope.stop().stop_requested())
            continue;
        Duration total{};
        for (const StateTotal& it : totals(timeline, row.ref, scope.window()))
            total += it.state == *blocked ? it.total : Duration{};
        if (total < LeastStall)
            continue;
        BlockedProcess& process = processes[{row.host, row.pid >= 0 ? row.pid : row.tid}];
        process.threads.push_back({row, *blocked});
        process.total = sumOf(process.total, total);
    }
    for (auto& [key, process] : processes) {
        if (process.total < scope.threshold()) // The intervals of most processes need not be read.
            continue;
        const Row& first = process.threads.front().row;
        process.group = {"Uninterruptible waits of "
                             + (first.pid >= 0 && first.pid != first.tid ? "PID " + std::to_string(first.pid) : first.label),
                         first.host, "thread.blocked", true};
        for (const RowState& thread : process.threads)
            for (const Interval& it : intervals(timeline, thread.row.ref, scope.window(), scope.stop()))
                if (it.state == thread.state && it.range.duration() >= LeastStall && it.range == it.range.clippedTo(scope.window()))
                    process.group.stalls.add(it.range, thread.row.ref);
        groups.push_back(std::move(process.group));
    }
}

/// Returns the clearest period of a group's stalls. `series`: number of groups that are searched.
std::optional<PeriodicGroup> periodOf(const StallGroup& group, std::size_t series, const std::stop_token& stop)
{
    std::vector<TimeRange> ranges;
    for (const Occurrences::Occurrence& it : group.stalls.all())
        ranges.push_back(it.range);
    std::ranges::stable_sort(ranges, std::ranges::greater(), &TimeRange::duration);
    std::optional<Periodicity> best;
    std::size_t before = 0;
    // The stalls with a common cause may be the longest among many others.
    for (const std::size_t count : {std::min(ranges.size(), MostSearched), std::min(ranges.size() / 10, MostSearched)}) {
        if (count < MinPeriodicValues || count == before)
            continue;
        before = count;
        for (const auto& [property, side] :
             {std::pair{PeriodicProperty::Begins, &TimeRange::begin}, std::pair{PeriodicProperty::Ends, &TimeRange::end}}) {
            std::vector<std::int64_t> times;
            for (std::size_t i = 0; i < count; ++i)
                times.push_back(nanoseconds(ranges[i].*side));
            for (const FoundPeriod& it : findPeriods(std::move(times), 1, 4 * double(series), stop))
                if (it.logChance <= MostLogChance && it.share >= LeastInPhase && it.period >= double(LeastPeriod.count())
                    && (!best || it.logChance < best->found.logChance))
                    best = Periodicity{property, ranges[count - 1].duration(), count, it};
        }
    }
    if (!best)
        return {};
    PeriodicGroup found{&group, *best, {}};
    for (const Occurrences::Occurrence& it : group.stalls.all())
        if (best->has(it.range))
            found.inPhase.add(it.range, it.row);
    return found;
}

Finding describe(const FindingScope& scope, const PeriodicGroup& found, const std::vector<const PeriodicGroup*>& others)
{
    const FoundPeriod& period = found.period.found;
    const bool areEnds = found.period.of == PeriodicProperty::Ends;
    Finding finding;
    finding.subject = withoutTids(found.group->name);
    finding.text = found.group->name + (areEnds ? " end" : " begin") + " every " + roundedDurationText(period.period) + " ("
        + shareText(period.share) + " of " + std::to_string(period.count) + " in phase)";
    finding.detail =
        "each at least " + shortDuration(found.period.from) + " long, at most " + shortDuration(found.inPhase.longest().range.duration());
    std::vector<std::string> names;
    for (const PeriodicGroup* const it : others)
        if (it->group->name != found.group->name && std::ranges::find(names, it->group->name) == names.end())
            names.push_back(it->group->name);
    for (std::size_t i = 0; i < std::min(names.size(), MostNamed); ++i)
        finding.detail += (i == 0 ? "; with the same period: " : ", ") + names[i];
    if (names.size() > MostNamed)
        finding.detail += " and " + std::to_string(names.size() - MostNamed) + " more";
    finding.host = found.group->host;
    finding.color = found.group->color;
    finding.isWait = found.group->isWait;
    found.inPhase.fill(finding, [&](const Occurrences::Occurrence& it) {
        const auto row = rowOf(scope.timeline(), it.row);
        return (row ? row->label + ": " : std::string()) + shortDuration(it.range.duration()) + (areEnds ? ", ends" : ", begins")
            + " in phase";
    });
    return finding;
}

std::vector<Finding> findPeriodicStalls(const FindingScope& scope)
{
    std::vector<StallGroup> groups;
    addDiskRequests(scope, groups);
    if (hasFileCalls(scope))
        addFileCalls(scope, groups);
    addBlockedWaits(scope, groups);
    std::erase_if(groups,
                  [&](const StallGroup& it) { return it.stalls.count() < MinPeriodicValues || it.stalls.covered() < scope.threshold(); });
    std::ranges::stable_sort(groups, std::ranges::greater(), [](const StallGroup& it) { return it.stalls.total(); });
    groups.resize(std::min(groups.size(), MostGroups));
    std::vector<PeriodicGroup> found;
    for (const StallGroup& group : groups)
        if (auto periodic = periodOf(group, groups.size(), scope.stop());
            periodic && periodic->inPhase.count() >= MinPeriodicValues && periodic->inPhase.covered() >= scope.threshold())
            found.push_back(std::move(*periodic));
    std::ranges::stable_sort(found, std::ranges::greater(), [](const PeriodicGroup& it) { return it.inPhase.covered(); });
    std::vector<Finding> findings;
    std::vector<bool> isMentioned(found.size());
    for (std::size_t i = 0; i < found.size() && findings.size() < MostPeriods; ++i) {
        if (isMentioned[i])
            continue;
        std::vector<const PeriodicGroup*> others;
        for (std::size_t k = i + 1; k < found.size(); ++k)
            if (!isMentioned[k] && found[k].group->host == found[i].group->host
                && areHarmonics(found[i].period.found, found[k].period.found)) {
                isMentioned[k] = true;
                others.push_back(&found[k]);
            }
        findings.push_back(describe(scope, found[i], others));
    }
    return findings;
}

} // namespace

extern const Finder periodicStallFinder;
const Finder periodicStallFinder{"periodic-stalls", "Periodic stalls", canLookForPeriods, findPeriodicStalls, RecordableData::DiskRequests};

} // namespace helio
