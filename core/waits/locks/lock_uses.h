#pragma once

#include "core/query/segments/segments.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// Which waits and holds are looked at: those that lie in the window as a whole and are accepted. Without `accepts`: all of them.
struct LockSelection {
    TimeRange window;
    std::function<bool(const Segment&)> accepts{};
};

/// How a lock was wanted and held.
struct LockUse {
    std::uint32_t host = 0;
    std::string name; ///< As its segments have it.
    std::uint64_t waits = 0;
    Duration waited{}; ///< Of all threads together.
    TimeRange longest{}; ///< The first of the longest waits.
    std::size_t threads = 0; ///< That waited.
    std::size_t mostAtOnce = 0; ///< So many waited at once.
    Timestamp mostAt{}; ///< Since then, for the first time.
    Duration crowded{}; ///< In which two or more waited at once.
    TimeRange convoy{}; ///< The first of the longest stretches in which two or more waited all along.
    std::uint64_t holds = 0;
    Duration held{};
    Duration longestHold{};
    bool operator==(const LockUse&) const = default;
};

/// The most waited for first, then by host and name. Cost: as eachSegment(); memory: 16 bytes a wait.
std::vector<LockUse> lockUses(const Timeline& timeline, const LockSelection& selection, const std::stop_token& stop = {});

/// What a thread did while others waited for a lock.
struct LockCulprit {
    enum class Did : std::uint8_t {
        Held, ///< It held it all of that time.
        Woke, ///< It ended those waits: that it had the lock until then is likely, and not recorded.
    };
    std::uint32_t host = 0;
    std::string who; ///< "mtx-owner (185)": by its last name.
    Did did{};
    std::string lock;
    std::uint64_t times = 0; ///< Holds that others waited during; waits that it ended.
    Duration madeWait{}; ///< Of all who waited together.
    bool operator==(const LockCulprit&) const = default;
};

/// The most time first, then by host, thread and lock. Of locks of the kernel nobody knows: no event says who has one. Cost: as lockUses(),
/// of their fields.
std::vector<LockCulprit> lockCulprits(const Timeline& timeline, const LockSelection& selection, const std::stop_token& stop = {});

/// How many waits were for locks of the kernel. Cost: as lockUses().
std::uint64_t waitsForKernelLocks(const Timeline& timeline, const LockSelection& selection, const std::stop_token& stop = {});

/// Whether anything says who waited for locks.
bool hasLocks(const Timeline& timeline);

} // namespace helio
