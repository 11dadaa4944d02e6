#pragma once

#include "core/trace/fields/field_ref.h"
#include "core/trace/fields/values_by_event_type.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace helio::locks {

/// FUTEX_* operations of include/uapi/linux/futex.h, without flags.
enum class FutexOp : std::uint8_t {
    Wait = 0,
    Wake = 1,
    Requeue = 3,
    CmpRequeue = 4,
    WakeOp = 5,
    LockPi = 6,
    UnlockPi = 7,
    TryLockPi = 8,
    WaitBitset = 9,
    WakeBitset = 10,
    WaitRequeuePi = 11,
    CmpRequeuePi = 12,
    LockPi2 = 13,
};

/// Arguments of a futex call.
struct FutexCall {
    FutexOp op{};
    bool isShared = false; ///< True if the futex may be shared with other processes (no FUTEX_PRIVATE_FLAG).
    std::uint64_t address = 0;
    std::uint64_t second = 0; ///< Address of the second futex (argument "uaddr2").
    std::int64_t count = 0; ///< Argument "val"; for wakes and requeues the maximum number of threads to wake.
    bool hasCount = false; ///< True if `count` was recorded.
};

/// Returns true if a waiting call waits for a lock that another thread holds, false if it waits for work: for a condition, a semaphore or
/// the end of a thread. The kernel knows locks only for the operations on PI futexes. For other futexes, the expected value tells: glibc,
/// Rust and Go mark a contended mutex by 2, glibc a contended rwlock by 2 or 3 (nptl/lowlevellock.c, pthread_rwlock_common.c), and waits
/// for conditions and semaphores expect other values. Returns true if the value was not recorded.
bool isForLock(const FutexCall& call);

/// Returns the name of a waiting operation, e.g. "WAIT_BITSET"; empty if the operation does not wait. FUTEX_TRYLOCK_PI never waits.
std::string_view waitName(FutexOp op);
bool canWake(FutexOp op);
bool takesLock(FutexOp op); ///< Returns true if the thread owns the lock after the operation returned 0.
bool movesWaiters(FutexOp op);
bool hasSecond(FutexOp op); ///< Returns true if the operation uses uaddr2, as the address of a second futex.

enum class FutexRole : std::uint8_t {
    None,
    Enter, ///< Entry of a system call.
    Leave, ///< Exit of a system call.
    Waking, ///< Wake-up of a thread.
    Exit, ///< End of a thread.
};

/// Finds and reads the futex calls of one trace: system calls in all versions of LTTng, and in ftrace and perf, by name or (raw_syscalls)
/// by number. Event types of which only samples were recorded have no role.
///
/// Threads: used by one thread.
/// Ownership: the caller keeps the trace alive longer than the object.
class FutexEvents {
public:
    explicit FutexEvents(const Trace& trace);

    FutexRole roleOf(EventTypeId type) const { return m_types[type].role; }

    /// Returns the futex call of an Enter event; nullopt if the event is for another system call, or damaged.
    std::optional<FutexCall> call(const EventView& event) const;
    /// Returns the result of a Leave event; nullopt if the event is for another system call.
    std::optional<std::int64_t> result(const EventView& event) const;
    /// Returns the TID of the thread that a Waking event wakes, or that an Exit event ends; -1 if not recorded.
    std::int32_t thread(const EventView& event) const;

private:
    struct Type {
        FutexRole role = FutexRole::None;
        bool isNumbered = false; ///< True if the event type covers all system calls and identifies them by number.
        FieldRef number, address, op, count, second, result, tid;
    };
    static std::optional<Type> typeOf(const Trace& trace, EventTypeId number, bool hasOneExit);
    const Type& of(const EventView& event) const { return m_types[event.record->type]; }
    bool isFutex(const Type& type, const EventView& event) const;

    std::int64_t m_number; ///< Number of the futex system call; -1 if unknown.
    ValuesByEventType<Type> m_types;
};

/// Returns true if the trace can show waits for futexes: it has entries and exits of futex calls, and their threads can be determined.
bool hasFutexes(const Trace& trace);

} // namespace helio::locks
