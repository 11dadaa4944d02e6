#include "core/findings/finder.h"
#include "core/findings/window_parts.h"
#include "core/query/rows/statistics.h"
#include "core/waits/path/wait_causes.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace helio {
namespace {

constexpr double Saturated = 0.97; ///< Minimum busy share of all CPUs of a host in a part of the window.

bool canLookForSaturation(const FindingScope& scope) { return !scope.cpus().empty(); }

/// The ranges in which all CPUs of a host were busy, and the busy share there.
struct SaturatedTimes {
    Occurrences ranges;
    double busy = 0;
};

SaturatedTimes saturatedTimesOf(const FindingScope& scope, std::uint32_t host)
{
    const WindowParts parts(scope.window());
    std::vector<double> busy;
    for (const CpuUtilization& use : cpuUtilization(scope.timeline(), host, scope.window(), parts.count(), scope.stop()))
        busy.push_back(std::min(1.0, double(use.user) + double(use.kernel) + double(use.interrupt)));
    const auto isSaturated = [&](std::size_t part) { return part < busy.size() && busy[part] >= Saturated; };
    SaturatedTimes times{parts.rangesOf(isSaturated)};
    std::size_t count = 0;
    for (std::size_t i = 0; i < busy.size(); ++i)
        if (isSaturated(i)) {
            times.busy += busy[i];
            ++count;
        }
    if (count > 0)
        times.busy /= double(count);
    return times;
}

bool isWaitForCpu(StateCategory meaning) { return meaning == StateCategory::WaitsForCpu || meaning == StateCategory::Preempted; }

/// Returns the time that a thread spent in states for which `isIn` is true, within the ranges, which are in time order.
template <typename IsIn>
Duration timeIn(const Occurrences& ranges, const Timeline& timeline, TrackRef thread, const IsIn& isIn, const std::stop_token& stop)
{
    Duration sum{};
    auto range = ranges.all().begin();
    const auto end = ranges.all().end();
    for (const Interval& it : intervals(timeline, thread, {ranges.all().front().range.begin, ranges.all().back().range.end}, stop)) {
        while (range != end && range->range.end <= it.range.begin)
            ++range;
        if (range == end)
            break;
        if (!it.range.overlaps(range->range) || !isIn(it.state))
            continue;
        for (auto other = range; other != end && other->range.begin < it.range.end; ++other)
            sum += other->range.clippedTo(it.range).duration();
    }
    return sum;
}

/// Returns the threads of a host that waited for a CPU in the ranges, with their waiting times, the longest first. Of a thread in several
/// recordings of the host, the one with the longest waiting time is returned.
std::vector<std::pair<TrackRef, Duration>> waitersIn(const FindingScope& scope, std::uint32_t host, const Occurrences& ranges)
{
    const Timeline& timeline = scope.timeline();
    std::vector<std::pair<TrackRef, Duration>> waiters;
    std::vector<const Row*> rows; // Rows of `waiters`, in the same order.
    for (const Row& thread : scope.threads()) {
        if (scope.stop().stop_requested())
            break;
        const auto isWait = [&](State state) { return isWaitForCpu(meaningOf(timeline, thread.ref, state)); };
        // Few threads wait at all, and the times of the others need not be read.
        if (thread.host != host || std::ranges::none_of(totals(timeline, thread.ref, scope.window()), isWait, &StateTotal::state))
            continue;
        const Duration waited = timeIn(ranges, timeline, thread.ref, isWait, scope.stop());
        if (waited <= Duration{})
            continue;
        const auto isSame = [&](const Row* it) { return it->tid == thread.tid && it->trace != thread.trace; };
        const auto known = std::ranges::find_if(rows, isSame);
        if (known == rows.end()) {
            rows.push_back(&thread);
            waiters.emplace_back(thread.ref, waited);
        } else if (auto& other = waiters[static_cast<std::size_t>(known - rows.begin())]; other.second < waited) {
            other = {thread.ref, waited};
        }
    }
    std::ranges::stable_sort(waiters, std::ranges::greater(), &std::pair<TrackRef, Duration>::second);
    return waiters;
}

std::vector<Finding> findSaturation(const FindingScope& scope)
{
    std::map<std::uint32_t, std::set<std::int32_t>> cpus; // CPUs by host. Several recordings of a host may have rows of the same CPU.
    for (const Row& cpu : scope.cpus())
        cpus[cpu.host].insert(cpu.cpu);
    std::vector<Finding> findings;
    for (const auto& [host, numbers] : cpus) {
        const std::size_t count = numbers.size();
        const SaturatedTimes times = saturatedTimesOf(scope, host);
        const Occurrences& occurrences = times.ranges;
        if (occurrences.count() == 0 || occurrences.covered() < scope.threshold())
            continue;
        const auto waiters = waitersIn(scope, host, occurrences);
        Duration waited{};
        for (const auto& [thread, time] : waiters)
            waited = sumOf(waited, time);
        if (waited * 2 < occurrences.covered()) // Without waiting threads, busy CPUs are used well.
            continue;
        Finding finding;
        const std::string busy = shareText(times.busy) + " busy for " + shortDuration(occurrences.covered());
        finding.text = (count == 1       ? "The CPU was "
                            : count == 2 ? "Both CPUs were "
                                         : "All " + std::to_string(count) + " CPUs were ")
            + busy + "; " + countText(waiters.size(), "thread") + " waited " + shortDuration(waited) + " in all for a CPU";
        finding.detail = "longest: " + threadWords(scope.timeline(), waiters.front().first) + ", " + shortDuration(waiters.front().second);
        finding.host = host;
        finding.color = "thread.wait-cpu";
        occurrences.fill(finding,
                         [&](const Occurrences::Occurrence& it) { return "all CPUs busy for " + shortDuration(it.range.duration()); });
        finding.explained = std::min(finding.explained, waited);
        for (const auto& [thread, time] : waiters)
            finding.rows.push_back(thread);
        findings.push_back(std::move(finding));
    }
    return findings;
}

} // namespace

extern const Finder cpuSaturationFinder;
const Finder cpuSaturationFinder{"cpu-saturation", "CPU saturation", canLookForSaturation, findSaturation, RecordableData::ContextSwitches};

} // namespace helio
