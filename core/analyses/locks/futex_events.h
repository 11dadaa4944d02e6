#pragma once

#include "core/trace/fields/by_event_type.h"
#include "core/trace/fields/field_ref.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace helio::locks {

/// FUTEX_* of include/uapi/linux/futex.h, without its flags.
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

/// What a thread asks of the kernel.
struct FutexCall {
    FutexOp op{};
    bool isShared = false; ///< Processes may share it: no FUTEX_PRIVATE_FLAG.
    std::uint64_t address = 0;
    std::uint64_t second = 0; ///< "uaddr2".
    std::int64_t count = 0; ///< "val": of a wake or a requeue how many to wake at most.
};

/// "WAIT_BITSET"; empty: it does not wait. FUTEX_TRYLOCK_PI never does.
std::string_view waitName(FutexOp op);
bool canWake(FutexOp op);
bool takesLock(FutexOp op); ///< Whoever comes back with 0 has it.
bool movesWaiters(FutexOp op);
bool hasSecond(FutexOp op); ///< Its second address is one.

enum class FutexRole : std::uint8_t {
    None,
    Enter, ///< A system call begins.
    Leave, ///< It ends.
    Waking, ///< A thread is woken.
    Exit, ///< A thread ends.
};

/// How the futex calls of one trace are called and read: LTTng's system calls of all ages, ftrace's and perf's, by their names or, of
/// raw_syscalls, by their number. Those of which only some were recorded are none. One thread; the trace outlives it.
class FutexEvents {
public:
    explicit FutexEvents(const Trace& trace);

    FutexRole roleOf(EventTypeId type) const { return m_types[type].role; }

    /// Of Enter. Nothing: it is another call, or damaged.
    std::optional<FutexCall> call(const EventView& event) const;
    /// Of Leave. Nothing: it is said of another call.
    std::optional<std::int64_t> result(const EventView& event) const;
    /// Of Waking: who is woken; of Exit: who ends. -1: not recorded.
    std::int32_t thread(const EventView& event) const;

private:
    struct Type {
        FutexRole role = FutexRole::None;
        bool isNumbered = false; ///< Of all system calls: a field says which.
        FieldRef number, address, op, count, second, result, tid;
    };
    static std::optional<Type> typeOf(const Trace& trace, EventTypeId number, bool hasOneExit);
    const Type& of(const EventView& event) const { return m_types[event.record->type]; }
    bool isFutex(const Type& type, const EventView& event) const;

    std::int64_t m_number; ///< Of the system call.
    ByEventType<Type> m_types;
};

/// Whether a trace may say who waits for futexes: it has such calls, and says who made them.
bool hasFutexes(const Trace& trace);

} // namespace helio::locks
