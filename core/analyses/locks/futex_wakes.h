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

/// A call that may wake threads, on one futex or two.
struct FutexWake {
    Contender by;
    FutexOp op{};
    std::optional<HostTimestamp> end; ///< None: it is under way.
    std::optional<std::int64_t> woke; ///< How many threads. None: it has not said so.
    std::int64_t known = 0; ///< Of those: whom is known.

    /// How many more waits it may have ended.
    std::int64_t left() const { return woke ? *woke - known : std::numeric_limits<std::int64_t>::max(); }
};

/// The wakes of one futex that may have ended waits of which nobody knows it yet. One thread.
class FutexWakes {
public:
    /// More are not held: of waits that reach back before those that were dropped nothing is known.
    static constexpr std::size_t Most = 64;

    void add(std::shared_ptr<FutexWake> wake);

    /// Adds those that may have ended a wait since then, by another thread. False: there may be more.
    bool find(HostTimestamp since, std::uint64_t waiter, std::vector<std::shared_ptr<FutexWake>>& found) const;

private:
    std::vector<std::shared_ptr<FutexWake>> m_wakes; ///< By begin.
    HostTimestamp m_dropped = HostTimestamp::min(); ///< The last end of those that were dropped.
};

/// The wake that ended a wait for some futexes (for one of them, it may have been moved to the others), where all that may have are by one
/// thread. Null: it is not known.
std::shared_ptr<FutexWake> wakeThatEnded(HostTimestamp since, std::uint64_t waiter, std::span<const FutexWakes* const> futexes);

} // namespace helio::locks
