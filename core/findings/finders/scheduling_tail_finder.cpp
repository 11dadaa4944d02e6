#include "core/findings/finder.h"
#include "core/findings/occurrences.h"
#include "core/query/rows/priorities.h"
#include "core/query/segments/state_intervals.h"
#include "core/waits/path/cpu_occupancy.h"
#include "core/waits/path/wait_causes.h"

#include <algorithm>
#include <array>

namespace helio {
namespace {

/// A wait for a CPU counts as long if it is longer than this. Within one tick of the slowest usual kernel (100 Hz), a busy CPU is fair.
constexpr Duration LongWait = std::chrono::milliseconds(10);
constexpr std::uint64_t LeastWakeups = 20; ///< Minimum number of wake-ups: without a normal case, nothing stands out.
/// Maximum share of long waits among all. If more are long, the CPUs are saturated, which is another finding.
constexpr double MostLong = 0.2;

bool canLookForTail(const FindingScope& scope) { return !wakeupKind(scope.timeline()).empty(); }

/// True if a wait was throttling, which is another finding.
bool isThrottled(const Timeline& timeline, const Occurrences::Occurrence& wait)
{
    return std::ranges::any_of(intervals(timeline, wait.row, wait.range),
                               [&](const Interval& it) { return meaningOf(timeline, wait.row, it.state) == StateCategory::Throttled; });
}

/// Returns the largest round duration that leaves at least four fifths of the long waits' time above it.
Duration roundLimit(const Occurrences& waits)
{
    Duration limit = LongWait;
    const Duration needed = waits.total() / 5 * 4;
    for (Duration decade = LongWait; decade < waits.longest().range.duration(); decade *= 10)
        for (const int factor : {1, 2, 3, 5}) {
            Duration above{};
            for (const auto& it : waits.all())
                above += it.range.duration() > decade * factor ? it.range.duration() : Duration{};
            if (above >= needed)
                limit = decade * factor;
        }
    return limit;
}

/// Returns what had the CPU during a wait, as an ending of a sentence; empty if it is unknown.
std::string occupantText(const FindingScope& scope, CpuOccupancy& occupancy, const Occurrences::Occurrence& wait)
{
    const Timeline& timeline = scope.timeline();
    const std::int32_t cpu = occupancy.cpuOf(wait.row, wait.range.end);
    if (cpu == NoCpu)
        return {};
    const auto occupants = occupancy.on(traceOf(timeline, wait.row), cpu, wait.range);
    if (occupants.empty() || occupants.front().isIdle || !occupants.front().thread.isValid())
        return {};
    const TrackRef other = occupants.front().thread;
    std::string text = " behind " + threadWords(timeline, other);
    const auto own = priorityAt(timeline, wait.row, wait.range.begin);
    const auto others = priorityAt(timeline, other, wait.range.begin);
    if (own && others)
        text += *own == *others ? " (priority " + std::to_string(*own) + ", both)"
                                : " (priority " + std::to_string(*others) + " against " + std::to_string(*own) + ')';
    return text;
}

std::vector<Finding> findSchedulingTail(const FindingScope& scope)
{
    const Timeline& timeline = scope.timeline();
    std::map<std::uint32_t, std::pair<std::uint64_t, Occurrences>> hosts; // Number of all wake-ups, and the long waits.
    forEachWakeup(
        timeline, scope.threads(), scope.window(),
        [&](const Row& thread, TimeRange wait) {
            auto& [all, longWaits] = hosts[thread.host];
            ++all;
            if (wait.duration() > LongWait && !isThrottled(timeline, {wait, thread.ref}))
                longWaits.add(wait, thread.ref);
        },
        scope.stop());
    std::vector<Finding> findings;
    CpuOccupancy occupancy(timeline);
    for (const auto& [host, found] : hosts) {
        const auto& [all, longWaits] = found;
        if (all < LeastWakeups || longWaits.count() == 0 || double(longWaits.count()) > MostLong * double(all)
            || longWaits.covered() < scope.threshold())
            continue;
        const Duration limit = roundLimit(longWaits);
        Occurrences worst;
        for (const auto& it : longWaits.all())
            if (it.range.duration() > limit)
                worst.add(it.range, it.row);
        const Occurrences::Occurrence& longest = worst.longest();
        Finding finding;
        finding.text =
            std::to_string(worst.count()) + " of " + countText(all, "wake-up") + " waited more than " + shortDuration(limit) + " for a CPU";
        finding.detail = "worst: " + threadWords(timeline, longest.row) + ", " + shortDuration(longest.range.duration())
            + occupantText(scope, occupancy, longest);
        finding.host = host;
        finding.color = "thread.wait-cpu";
        finding.isWait = true;
        worst.fill(finding, [&](const Occurrences::Occurrence& it) {
            return threadWords(timeline, it.row) + " waited " + shortDuration(it.range.duration()) + occupantText(scope, occupancy, it);
        });
        findings.push_back(std::move(finding));
    }
    return findings;
}

} // namespace

extern const Finder schedulingTailFinder;
const Finder schedulingTailFinder{"scheduling-tail", "Scheduling tail", canLookForTail, findSchedulingTail, RecordableData::WakeUps};

} // namespace helio
