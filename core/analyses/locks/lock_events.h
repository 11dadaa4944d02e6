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
    WaitBegin, ///< A thread begins to wait for a kernel lock that another thread owns.
    WaitEnd, ///< The wait for the kernel lock ends: the thread has the lock, or gave up.
    Request, ///< The event is a thread's request for a mutex of a user-space program.
    Acquire, ///< The request for a mutex ends; the mutex was acquired if isDone().
    Try, ///< A try-lock of a mutex: request and result in one event.
    Release,
};

/// Finds and reads the lock events of one trace: the kernel's lock:contention_begin and lock:contention_end (since 5.19;
/// include/trace/events/lock.h), and LTTng-UST's lttng_ust_pthread. Event types of which only samples were recorded have no role.
///
/// Threads: used by one thread.
/// Ownership: the caller keeps the trace alive longer than the object.
class LockEvents {
public:
    explicit LockEvents(const Trace& trace);

    LockEventRole roleOf(EventTypeId type) const { return m_types[type].role; }
    std::optional<std::uint64_t> address(const EventView& event) const;
    /// Returns the type of a kernel lock, with ":R" or ":W" if the thread wants it for reading or writing, in perf's terms, e.g. "mutex",
    /// "rwlock:R"; empty if not recorded.
    std::string_view sort(const EventView& event) const;
    /// Returns true if the operation succeeded. A robust mutex whose owner died also counts as acquired.
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
