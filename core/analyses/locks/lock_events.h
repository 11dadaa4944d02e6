#pragma once

#include "core/trace/fields/by_event_type.h"
#include "core/trace/fields/field_ref.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace helio::locks {

enum class Role : std::uint8_t {
    None,
    WaitBegin, ///< A lock of the kernel is another's: whoever wants it begins to wait.
    WaitEnd, ///< It has the lock, or gave up.
    Request, ///< A mutex of a program is asked for.
    Acquire, ///< It was got, or was not: see its status.
    Try, ///< The same at once.
    Release,
};

/// How the events of locks of one trace are called and read: the kernel's lock:contention_begin and lock:contention_end (since 5.19;
/// include/trace/events/lock.h), and those of LTTng-UST's lttng_ust_pthread. Those of which only some were recorded have no
/// role. One thread; the trace outlives it.
class LockEvents {
public:
    explicit LockEvents(const Trace& trace);

    Role roleOf(EventTypeId type) const { return m_types[type].role; }
    std::optional<std::uint64_t> address(const EventView& event) const;
    /// "mutex", "rwlock:R": of what sort a lock of the kernel is, and how it is wanted, as perf calls it. Empty: not recorded.
    std::string_view sort(const EventView& event) const;
    /// Whether it was done: a lock that is robust is got, too, where its owner died.
    bool isDone(const EventView& event) const;

private:
    struct Type {
        Role role = Role::None;
        FieldRef address, flags, status;
    };
    static std::optional<Type> typeOf(const EventType& type, Role role);

    ByEventType<Type> m_types;
};

/// Whether a trace has events that say who waits for locks.
bool hasLocks(const Trace& trace);

} // namespace helio::locks
