#pragma once

#include "core/sql/model/recorded_things.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace helio::sql {

/// Reason why a thread waited in the kernel, from an event sched_blocked_reason.
struct BlockedReason {
    Timestamp at; ///< Time of the event, near the end of the wait.
    std::optional<bool> isIoWait; ///< True if the thread waited for a device; nullopt if the event does not say it.
    std::uint32_t function = 0; ///< Index of the function's name; see BlockedReasons::functionOf().
};

/// The reasons of all waits in the kernel that the recordings give.
///
/// Threads: to be used by one thread.
/// Memory: 24 bytes for each event sched_blocked_reason.
class BlockedReasons {
public:
    explicit BlockedReasons(std::shared_ptr<const RecordedThings> things);

    /// Reads the events, at the first call. Returns false after a stop request.
    /// Cost: nothing if no recording has such events, else a walk over all events.
    bool prepare(const std::stop_token& stop);

    /// Returns the reason that was recorded for a thread after `from` and until `until`; nullopt if there is none. Requires: prepare().
    std::optional<BlockedReason> find(std::uint32_t thread, Timestamp from, Timestamp until) const;
    /// Returns the kernel's function that the thread was in; empty if it is unknown.
    const std::string& functionOf(const BlockedReason& reason) const { return m_functions[reason.function]; }

private:
    struct Reader;

    std::shared_ptr<const RecordedThings> m_things;
    std::vector<std::vector<BlockedReason>> m_reasons; ///< Reasons in time order, indexed by thread.
    std::vector<std::string> m_functions; ///< Names of functions; the first is empty.
    bool m_isPrepared = false;
};

} // namespace helio::sql
