#pragma once

#include "core/query/segments/segments.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Kinds of the segments that the analyses of locks write, named after the lock: waits of threads for a lock, or for work at a condition,
/// and holds of a lock.
///
/// Waits have these fields, each only if known: `type` of the lock, `comm` of the waiting thread, `held_by` (thread that held the lock when
/// the wait began), `ended_by` (event that ended the wait), `woken_by`, `got` (`no` if the thread did not get the lock), `for` (`work`).
constexpr std::string_view LockWaitSegments = "lock";
constexpr std::string_view LockHoldSegments = "lock-hold";

/// True if a wait (a segment of the kind LockWaitSegments) was for work, not for a lock.
bool isForWork(const Timeline& timeline, const Segment& wait);

/// Selects the waits for locks and the holds of locks that lie entirely in the time range and for which `accepts` returns true. If
/// `accepts` is empty, selects all waits and holds in the range.
struct LockSelection {
    TimeRange window;
    std::function<bool(const Segment&)> accepts{};
};

/// Statistics of one lock: its waits and its holds. Waits for work, for example for a condition, are no contention: only `workWaits` and
/// `waitedForWork` count them.
struct LockContention {
    std::uint32_t host = 0;
    std::string name; ///< Name of the lock, as in its segments.
    std::uint64_t waits = 0;
    Duration waited{}; ///< Total waiting time of all threads.
    TimeRange longest{}; ///< Range of the longest wait; the first one if there are several.
    std::size_t threads = 0; ///< Number of threads that waited.
    std::size_t mostAtOnce = 0; ///< Maximum number of threads that waited at the same time.
    Timestamp mostAt{}; ///< Time at which `mostAtOnce` was first reached.
    Duration crowded{}; ///< Total time in which two or more threads waited.
    TimeRange convoy{}; ///< Longest range in which at least two threads waited at every moment; the first such range if there are several.
    std::uint64_t holds = 0;
    Duration held{};
    Duration longestHold{};
    std::uint64_t workWaits = 0; ///< Number of waits for work.
    Duration waitedForWork{}; ///< Total duration of the waits for work of all threads.
    bool operator==(const LockContention&) const = default;
};

/// Returns the locks, sorted by `waited` from the longest, then by host and name.
/// Cost: one forEachSegment(), and reading the fields of the waits.
/// Memory: 16 bytes per wait.
std::vector<LockContention> computeLockContention(const Timeline& timeline, const LockSelection& selection,
                                                  const std::stop_token& stop = {});

/// Waiting time of other threads caused by one thread with one lock, according to one kind of evidence.
struct LockCulprit {
    enum class Evidence : std::uint8_t {
        Held, ///< The thread held the lock during the waits, according to recorded holds.
        Woke, ///< The thread woke the waiters. It probably held the lock until then, but its hold was not recorded.
    };
    std::uint32_t host = 0;
    std::string who; ///< Last known name of the thread, for example "mtx-owner (185)".
    Evidence did{};
    std::string lock;
    /// Number of holds during which other threads waited (Held), or of waits that the thread ended (Woke).
    std::uint64_t times = 0;
    Duration causedWait{}; ///< Total time that other threads waited for `lock` because of this thread.
    /// Longest time that other threads waited because of one hold (Held), or longest wait that the thread ended (Woke).
    Duration most{};
    /// Range of the hold that caused the waiting time `most` (Held), or of the wait whose duration is `most` (Woke).
    TimeRange longest{};
    /// Row on which the thread held the lock in the range `longest` (Held), or row of the thread that waited in this range (Woke).
    TrackRef row{};
    bool operator==(const LockCulprit&) const = default;
};

/// Returns the culprits, sorted by `causedWait` from the longest, then by host, thread and lock. Owners of kernel locks are unknown,
/// because no event records them. Waits for work, for example for conditions, have no culprits. Cost: one computeLockContention(), and
/// reading the fields.
std::vector<LockCulprit> lockCulprits(const Timeline& timeline, const LockSelection& selection, const std::stop_token& stop = {});

/// Threads that wait for a lock at a time, and the thread that holds it.
struct LockUse {
    std::string lock; ///< Name of the lock.
    std::vector<std::string> waiters; ///< Threads that wait for the lock, for example "mtx-rival (186)", in the order of their waits.
    std::vector<std::string> workWaiters; ///< Threads that wait for work there, for example for a condition, in the order of their waits.
    std::string holder; ///< Thread that holds the lock; empty if unknown.
    /// Thread that ended the wait, if the holder is unknown and one thread waits for the lock, or none does and one waits for work.
    std::string waker;
};
/// Returns the use of a lock at a time. `row` is the row of a lock, or of a thread below it: then only the waits of that thread count.
/// nullopt if the row is neither, or if no wait and no hold there is known. Cost: reads the segments at that time.
std::optional<LockUse> findLockUse(const Timeline& timeline, TrackRef row, Timestamp at, const std::stop_token& stop = {});
/// Returns the wait of a thread for a lock at a time. `thread` is a row with states.
std::optional<LockUse> findLockWait(const Timeline& timeline, TrackRef thread, Timestamp at, const std::stop_token& stop = {});

/// Returns the number of waits for kernel locks.
/// Cost: one computeLockContention().
std::uint64_t countKernelLockWaits(const Timeline& timeline, const LockSelection& selection, const std::stop_token& stop = {});

/// True if the traces have waits for locks or holds of locks.
bool hasLocks(const Timeline& timeline);

} // namespace helio
