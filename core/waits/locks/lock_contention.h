#pragma once

#include "core/query/segments/segments.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// Selects the waits and holds that lie entirely in the window and are accepted; all in the window if `accepts` is empty.
struct LockSelection {
    TimeRange window;
    std::function<bool(const Segment&)> accepts{};
};

/// Statistics of the waits for one lock and of its holds.
struct LockContention {
    std::uint32_t host = 0;
    std::string name; ///< Name in its segments.
    std::uint64_t waits = 0;
    Duration waited{}; ///< Sum over all threads.
    TimeRange longest{}; ///< Range of the longest wait; the first one if there are several.
    std::size_t threads = 0; ///< Count of threads that waited.
    std::size_t mostAtOnce = 0; ///< Maximum count of threads that waited at the same time.
    Timestamp mostAt{}; ///< Time at which `mostAtOnce` was first reached.
    Duration crowded{}; ///< Total time in which two or more threads waited.
    TimeRange convoy{}; ///< Longest range in which two or more threads waited without a break; the first one if there are several.
    std::uint64_t holds = 0;
    Duration held{};
    Duration longestHold{};
    bool operator==(const LockContention&) const = default;
};

/// Returns the locks, sorted by `waited` from the longest, then by host and name.
/// Cost: one forEachSegment().
/// Memory: 16 bytes per wait.
std::vector<LockContention> computeLockContention(const Timeline& timeline, const LockSelection& selection,
                                                  const std::stop_token& stop = {});

/// Waiting time of other threads that a thread caused by one lock, in one way.
struct LockCulprit {
    enum class Evidence : std::uint8_t {
        Held, ///< The thread held the lock for all of that time.
        Woke, ///< The thread ended the waits; it probably held the lock until then, but this was not recorded.
    };
    std::uint32_t host = 0;
    std::string who; ///< Last known name of the thread, for example "mtx-owner (185)".
    Evidence did{};
    std::string lock;
    std::uint64_t times = 0; ///< Count of holds during which other threads waited, or of waits that the thread ended.
    Duration madeWait{}; ///< Sum over all threads that waited.
    bool operator==(const LockCulprit&) const = default;
};

/// Returns the culprits, sorted by `madeWait` from the longest, then by host, thread and lock. Owners of kernel locks are unknown, because
/// no event records them.
/// Cost: one computeLockContention(), and reading the fields.
std::vector<LockCulprit> lockCulprits(const Timeline& timeline, const LockSelection& selection, const std::stop_token& stop = {});

/// Returns the count of waits for kernel locks.
/// Cost: one computeLockContention().
std::uint64_t countKernelLockWaits(const Timeline& timeline, const LockSelection& selection, const std::stop_token& stop = {});

/// True if the traces have waits for locks or holds of locks.
bool hasLocks(const Timeline& timeline);

} // namespace helio
