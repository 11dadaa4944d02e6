#pragma once

#include <cstdint>
#include <string_view>

// Event numbers of KUtrace (kutrace_lib.h), as its timeline files contain them.

namespace helio::kutrace {

/// Kind of code that a CPU executes during a span, the outermost first: a level can interrupt all levels before it.
enum class Level : std::uint8_t {
    None, ///< The row is not a span of a CPU.
    Idle,
    User,
    Syscall,
    Trap,
    Softirq,
    Irq,
    Scheduler,
};

/// Event numbers of rows that the reader treats in a special way.
namespace code {
constexpr std::int32_t MessageReceived = 0x204;
constexpr std::int32_t MessageSent = 0x205;
constexpr std::int32_t Wakeup = 0x206;
constexpr std::int32_t Frequency = 0x209;
constexpr std::int32_t LeftMark = 0x20e;
constexpr std::int32_t RightMark = 0x20f;
constexpr std::int32_t LockTry = 0x210;
constexpr std::int32_t LockRelease = 0x212;
constexpr std::int32_t SampleUser = 0x280;
constexpr std::int32_t SampleKernel = 0x281;
constexpr std::int32_t WaitA = 0x300; ///< First of 26 reasons for a wait off CPU, one for each letter.
constexpr std::int32_t WaitCpu = 0x302;
constexpr std::int32_t WaitZ = 0x319;
constexpr std::int32_t Softirqs = 0x5ff; ///< All softirqs; the argument is the vector.
constexpr std::int32_t Scheduler = 0x9ff;
constexpr std::int32_t Idle = 0x10000; ///< The idle thread; with the low 16 bits of a PID: code of that thread in user space.
constexpr std::int32_t IdleExit = 0x20000; ///< The CPU leaves deep idle.
constexpr std::int32_t WakeupArc = -3;
} // namespace code

/// Returns the level of a row with this event number.
Level levelOf(std::int32_t event);

/// Returns the name of the stored event for a row that is not a span of a CPU, e.g. "kutrace:mark_a"; "kutrace:other" for unknown numbers.
std::string_view eventNameOf(std::int32_t event);

/// Returns the reason of a wait, e.g. "disk"; the letter of reasons without a name. Requires: WaitA <= event <= WaitZ.
std::string_view waitReasonOf(std::int32_t event);

/// Returns the name of an interrupt vector in the kernel's events, e.g. "local_timer", for a name of KUtrace; empty for other interrupts.
std::string_view vectorNameOf(std::string_view name);

} // namespace helio::kutrace
