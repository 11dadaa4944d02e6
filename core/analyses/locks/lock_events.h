#pragma once

#include "core/trace/fields/field_ref.h"
#include "core/trace/fields/values_by_event_type.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace helio::locks {

enum class LockEventRole : std::uint8_t {
    None,
    WaitBegin, ///< A thread wants a kernel lock that another thread owns, and begins to wait.
    WaitEnd, ///< The thread has the lock, or gave up.
    Request, ///< A thread requests a mutex of a program.
    Acquire, ///< The mutex was acquired if the event's status says so (isDone()).
    Try, ///< A try-lock: request and result in one event.
    Release,
};

/// Finds and reads the lock events of one trace: the kernel's lock:contention_begin and lock:contention_end (since 5.19;
/// include/trace/events/lock.h), and LTTng-UST's lttng_ust_pthread. Types that were only sampled have no role.
///
/// Threads: to be used by one thread.
/// Ownership: the trace outlives the object.
class LockEvents {
public:
    explicit LockEvents(const Trace& trace);

    LockEventRole roleOf(EventTypeId type) const { return m_types[type].role; }
    std::optional<std::uint64_t> address(const EventView& event) const;
    /// Returns the sort of a kernel lock and how it is wanted, in perf's words, e.g. "mutex", "rwlock:R"; empty if not recorded.
    std::string_view sort(const EventView& event) const;
    /// Returns true if the operation succeeded. A robust mutex is also acquired if its owner died.
    bool isDone(const EventView& event) const;

private:
    struct Type {
        LockEventRole role = LockEventRole::None;
        FieldRef address, flags, status;
    };
    static std::optional<Type> typeOf(const EventType& type, LockEventRole role);

    ValuesByEventType<Type> m_types;
};

/// Returns true if the trace has events that show waits for locks.
bool hasLocks(const Trace& trace);

} // namespace helio::locks
