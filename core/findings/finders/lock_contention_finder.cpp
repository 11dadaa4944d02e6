#include "core/findings/finder.h"
#include "core/findings/occurrences.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/rows/state_causes.h"
#include "core/query/segments/segments.h"
#include "core/waits/locks/lock_contention.h"

#include <algorithm>

namespace helio {
namespace {

constexpr std::size_t MostLocks = 3; ///< Maximum number of findings, the locks with the longest waits.
constexpr std::size_t LeastConvoy = 3; ///< Minimum number of threads that wait at once for a finding to speak of a queue.

/// A lock and its waits for it, without waits for work.
struct ContendedLock {
    LockContention lock;
    Occurrences waits;
};

bool canLookForLocks(const FindingScope& scope) { return hasLocks(scope.timeline()); }

/// Returns who made the others wait, for example "held by writer-0 (210) for 83 % of the waiting time"; empty if unknown. A thread that
/// ended waits probably had the lock until then.
std::string culpritText(const LockContention& lock, const std::vector<LockCulprit>& culprits)
{
    for (const LockCulprit& it : culprits) // Sorted by the time caused.
        if (it.host == lock.host && it.lock == lock.name && lock.waited > Duration{}) {
            const double share = std::min(1.0, double(it.causedWait.count()) / double(lock.waited.count()));
            const bool isHeld = it.did == LockCulprit::Evidence::Held;
            return (isHeld ? "held by " + it.who + " for " : "waits ended by " + it.who + ": ") + shareText(share) + " of the waiting time";
        }
    return {};
}

Finding describe(const FindingScope& scope, const LockContention& lock, const Occurrences& waits, const std::vector<LockCulprit>& culprits)
{
    Finding finding;
    if (lock.mostAtOnce >= LeastConvoy)
        finding.text = "Up to " + countText(lock.mostAtOnce, "thread") + " queued for the lock " + lock.name + ", "
            + countText(lock.waits, "wait") + " in all";
    else
        finding.text = countText(lock.threads, "thread") + " waited " + countText(lock.waits, "time") + " for the lock " + lock.name;
    finding.detail = "longest wait " + shortDuration(lock.longest.duration());
    if (const std::string culprit = culpritText(lock, culprits); !culprit.empty())
        finding.detail = culprit + "; " + finding.detail;
    finding.host = lock.host;
    finding.color = "path.lock";
    finding.isWait = true;
    waits.fill(finding, [&](const Occurrences::Occurrence& it) {
        const auto row = rowOf(scope.timeline(), it.row);
        return (row ? row->label : std::string("a thread")) + " waited " + shortDuration(it.range.duration());
    });
    return finding;
}

std::vector<Finding> findLockContention(const FindingScope& scope)
{
    const Timeline& timeline = scope.timeline();
    const LockSelection selection{scope.window(), scope.isOfAllRows() ? std::function<bool(const Segment&)>() : [&](const Segment& it) {
                                      return scope.accepts(rowOf(timeline, it));
                                  }};
    std::vector<LockContention> locks = computeLockContention(timeline, selection, scope.stop());
    std::erase_if(locks, [&](const LockContention& it) { return it.waited < scope.threshold(); });
    locks.resize(std::min(locks.size(), MostLocks)); // Sorted by the waiting time.
    if (locks.empty())
        return {};
    std::vector<Occurrences> waits(locks.size());
    forEachSegment(
        timeline, LockWaitSegments, scope.window(),
        [&](const Segment& it) {
            if (it.range != it.range.clippedTo(scope.window()) || (selection.accepts && !selection.accepts(it)) || isForWork(timeline, it))
                return;
            const std::string_view name = nameOf(timeline, it);
            const std::uint32_t host = timeline.traces[traceOf(timeline, it.row())].host;
            for (std::size_t i = 0; i < locks.size(); ++i)
                if (locks[i].host == host && locks[i].name == name) {
                    const Row row = rowOf(timeline, it);
                    const TrackRef thread = threadRow(timeline, row.trace, row.tid, it.range.begin);
                    waits[i].add(it.range, thread.isValid() ? thread : it.row());
                }
        },
        scope.stop());
    const std::vector<LockCulprit> culprits = lockCulprits(timeline, selection, scope.stop());
    std::vector<Finding> findings;
    for (std::size_t i = 0; i < locks.size(); ++i)
        if (waits[i].count() > 0 && waits[i].covered() >= scope.threshold())
            findings.push_back(describe(scope, locks[i], waits[i], culprits));
    return findings;
}

} // namespace

extern const Finder lockContentionFinder;
const Finder lockContentionFinder{"lock-convoy", "Lock contention", canLookForLocks, findLockContention, RecordableData::Locks};

} // namespace helio
