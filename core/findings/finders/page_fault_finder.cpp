#include "core/findings/finder.h"
#include "core/findings/occurrences.h"
#include "core/profiling/samples/sample_stacks.h"
#include "core/query/rows/row_lookup.h"
#include "core/waits/path/wait_causes.h"

#include <algorithm>
#include <map>
#include <utility>

namespace helio {
namespace {

/// Maximum time from the end of the wait for the page to the event, which the kernel counts at the end of the page fault.
constexpr Duration AfterWait = std::chrono::milliseconds(1);
constexpr int MostStepsBack = 8; ///< Maximum number of states between the event and the wait, for example a wait for a CPU.
constexpr std::uint64_t LeastFaults = 8; ///< Minimum number of page faults of a process; each program has a few when it begins.

/// Returns the name of the samples of major page faults: those that had to wait for the disk. Empty if they were not recorded.
std::string majorFaultKind(const Timeline& timeline)
{
    for (const SampleKindFacts& it : sampleKinds(timeline))
        if (it.kind.name == "major-faults" || it.kind.name.starts_with("major-faults:"))
            return it.kind.name;
    return {};
}

bool canLookForFaults(const FindingScope& scope) { return !majorFaultKind(scope.timeline()).empty(); }

/// Returns the wait of a thread that ended shortly before a time; empty if there is none.
TimeRange waitBefore(const Timeline& timeline, TrackRef thread, Timestamp at)
{
    Timestamp before = at;
    for (int i = 0; i < MostStepsBack; ++i) {
        const auto found = previousInterval(timeline, thread, before);
        if (found.empty() || at - found.front().range.end > AfterWait)
            break;
        if (isOffCpu(meaningOf(timeline, thread, found.front().state)))
            return found.front().range;
        before = found.front().range.begin;
    }
    return {};
}

/// The major page faults of a process, and the waits in them.
struct FaultingProcess {
    std::string name;
    std::uint64_t faults = 0;
    Occurrences waits;
};

std::vector<Finding> findMajorFaults(const FindingScope& scope)
{
    const Timeline& timeline = scope.timeline();
    SampleFilter filter;
    filter.kinds = {majorFaultKind(timeline)};
    filter.ranges = {scope.window()};
    if (!scope.isOfAllRows())
        for (const Row& thread : scope.threads())
            filter.threads.push_back(thread.ref);
    std::map<std::pair<std::uint32_t, std::int32_t>, FaultingProcess> processes;
    const auto take = [&](const StackProfile& soFar, const CollectedStack& sample) {
        const SampledThread& thread = soFar.threads[sample.thread];
        if (!thread.ref.isValid())
            return;
        FaultingProcess& process = processes[{thread.host, thread.pid >= 0 ? thread.pid : thread.tid}];
        if (process.name.empty())
            process.name = (thread.process.empty() ? threadWords(timeline, thread.ref) : thread.process);
        process.faults += sample.weight;
        if (const TimeRange wait = waitBefore(timeline, thread.ref, sample.first).clippedTo(scope.window()); !wait.isEmpty())
            process.waits.add(wait, thread.ref);
    };
    visitSamples(timeline, filter, take, scope.stop());
    std::vector<Finding> findings;
    for (const auto& [key, process] : processes) {
        if (process.faults < LeastFaults || process.waits.count() == 0 || process.waits.covered() < scope.threshold())
            continue;
        Finding finding;
        finding.subject = withoutTids(process.name);
        finding.text = process.name + " waited " + countText(process.waits.count(), "time")
            + " for pages from the disk: " + countText(process.faults, "major page fault");
        finding.detail = "longest wait " + shortDuration(process.waits.longest().range.duration());
        finding.host = key.first;
        finding.color = "path.disk";
        finding.check = "grep -E 'pgmajfault|workingset_refault' /proc/vmstat";
        finding.isWait = true;
        process.waits.fill(finding, [&](const Occurrences::Occurrence& it) {
            return threadWords(timeline, it.row) + " waited " + shortDuration(it.range.duration());
        });
        findings.push_back(std::move(finding));
    }
    return findings;
}

} // namespace

extern const Finder pageFaultFinder;
const Finder pageFaultFinder{"page-faults", "Page faults from disk", canLookForFaults, findMajorFaults};

} // namespace helio
