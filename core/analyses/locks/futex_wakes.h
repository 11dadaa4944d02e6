#pragma once

#include "core/analyses/locks/futex_events.h"
#include "core/analyses/locks/lock.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace helio::locks {

/// A call that may wake threads, on one or two futexes.
struct FutexWake {
    Contender by;
    FutexOp op{};
    std::optional<HostTimestamp> end; ///< nullopt while the call is under way.
    std::optional<std::int64_t> woke; ///< Count of threads that the call woke; nullopt while the call is under way.
    std::int64_t known = 0; ///< Count of the woken threads that are known.

    /// Returns how many more waits the call may have ended.
    std::int64_t left() const { return woke ? *woke - known : std::numeric_limits<std::int64_t>::max(); }
};

/// The wakes of one futex that may have ended waits which are not attributed yet.
///
/// Threads: to be used by one thread.
class FutexWakes {
public:
    /// Maximum count of wakes. When it is exceeded the oldest is dropped; waits that reach back before a dropped wake stay unattributed.
    static constexpr std::size_t Most = 64;

    void add(std::shared_ptr<FutexWake> wake);

    /// Appends to `found` the wakes by other threads than `waiter` that may have ended a wait which began at `since`. Returns false if such
    /// a wake may have been dropped.
    bool find(HostTimestamp since, std::uint64_t waiter, std::vector<std::shared_ptr<FutexWake>>& found) const;

private:
    std::vector<std::shared_ptr<FutexWake>> m_wakes; ///< Sorted by beginning.
    HostTimestamp m_dropped = HostTimestamp::min(); ///< Latest end of the dropped wakes.
};

/// Returns the wake that ended a wait on the given futexes (several if the waiter may have been requeued); nullptr if unknown. If several
/// wakes qualify, they must be by one thread.
std::shared_ptr<FutexWake> wakeThatEnded(HostTimestamp since, std::uint64_t waiter, std::span<const FutexWakes* const> futexes);

} // namespace helio::locks
