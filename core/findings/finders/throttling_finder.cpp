#include "core/findings/finder.h"
#include "core/findings/occurrences.h"
#include "core/latency/periods/periodicity.h"
#include "core/latency/throttling/throttled.h"
#include "core/query/rows/statistics.h"
#include "core/waits/path/wait_causes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

namespace helio {
namespace {

/// A process that was throttled.
struct ThrottledProcess {
    Row row;
    Occurrences times;
    std::uint32_t waiting = 0; ///< Maximum number of threads that waited at the same time.
    PeriodicityDetector periods;
};

/// Minimum number of throttled intervals. A CPU quota throttles again and again; a single interval may have another reason, for example an
/// affinity that excludes the idle CPUs.
constexpr std::uint64_t LeastThrottled = 3;

bool canLookForThrottling(const FindingScope& scope) { return canDetectThrottling(scope.timeline()); }

Finding describe(const ThrottledProcess& process, const FindingScope& scope)
{
    Finding finding;
    finding.text = throttledName(process.row) + " was throttled " + countText(process.times.count(), "time");
    finding.detail = "up to " + countText(process.waiting, "thread") + " runnable while CPUs were idle";
    for (const Periodicity& period : process.periods.find(scope.stop())) {
        if (period.of == PeriodicProperty::Lengths)
            continue;
        finding.text += ", every " + shortDuration(period.period());
        const double near = period.found.share * double(period.found.count);
        finding.detail += "; " + std::to_string(std::llround(near)) + " of " + std::to_string(period.found.count) + " in phase";
        break;
    }
    finding.text += ": probable CPU quota";
    finding.subject = withoutTids(throttledName(process.row));
    finding.host = process.row.host;
    finding.color = "thread.throttled";
    finding.check = "cat /sys/fs/cgroup$(cut -d: -f3 /proc/" + std::to_string(process.row.pid) + "/cgroup)/cpu.max";
    process.times.fill(finding, [](const Occurrences::Occurrence& it) { return "throttled for " + shortDuration(it.range.duration()); });
    return finding;
}

/// Returns the threads that were throttled (runnable on a CPU that was idle) by the host and PID of their process. The threads of other
/// processes may be restricted to busy CPUs.
std::map<std::pair<std::uint32_t, std::int32_t>, std::vector<TrackRef>> findThrottledThreads(const FindingScope& scope)
{
    const Timeline& timeline = scope.timeline();
    std::map<std::pair<std::uint32_t, std::int32_t>, std::vector<TrackRef>> processes;
    for (const Row& thread : scope.threads())
        if (std::ranges::any_of(totals(timeline, thread.ref, scope.window()), [&](const StateTotal& it) {
                return it.total > Duration{} && meaningOf(timeline, thread.ref, it.state) == StateCategory::Throttled;
            }))
            processes[{thread.host, thread.pid}].push_back(thread.ref);
    return processes;
}

std::vector<Finding> findThrottling(const FindingScope& scope)
{
    const auto throttled = findThrottledThreads(scope);
    if (throttled.empty())
        return {};
    std::map<TrackRef, ThrottledProcess> processes;
    const auto take = [&](const Row& row, const ThrottledInterval& interval) {
        if (!scope.accepts(row) || !throttled.contains({row.host, row.pid}))
            return;
        ThrottledProcess& process = processes[row.ref];
        process.row = row;
        process.times.add(interval.range, row.ref);
        process.waiting = std::max(process.waiting, interval.waiting);
        process.periods.add(interval.range);
    };
    forEachThrottled(scope.timeline(), scope.window(), take, scope.stop());
    std::vector<Finding> findings;
    for (const auto& [row, process] : processes)
        if (process.times.count() >= LeastThrottled && process.times.covered() >= scope.threshold()) {
            findings.push_back(describe(process, scope));
            for (const TrackRef thread : throttled.at({process.row.host, process.row.pid}))
                if (thread != row)
                    findings.back().rows.push_back(thread);
        }
    return findings;
}

} // namespace

extern const Finder throttlingFinder;
const Finder throttlingFinder{"throttling", "Throttling", canLookForThrottling, findThrottling, RecordableData::ContextSwitches};

} // namespace helio
