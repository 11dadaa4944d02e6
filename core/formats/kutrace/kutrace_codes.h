#pragma once

#include <cstdint>
#include <string_view>

// Event numbers in KUtrace's timeline files. KUtrace defines them in kutrace_lib.h.

namespace helio::kutrace {

/// Kind of code that a CPU executes. The values are in order of nesting: a level can interrupt every level that is listed before it.
enum class Level : std::uint8_t {
    None, ///< The row does not describe code that a CPU executes, e.g. a wait or a mark.
    Idle,
    User,
    Syscall,
    Trap,
    Softirq,
    Irq,
    Scheduler,
};

/// Event numbers that the reader distinguishes from all others.
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
/// First of 26 event numbers for waits off CPU. Each number stands for one reason, which a letter from A to Z denotes.
constexpr std::int32_t WaitA = 0x300;
constexpr std::int32_t WaitCpu = 0x302;
constexpr std::int32_t WaitZ = 0x319;
constexpr std::int32_t Softirqs = 0x5ff; ///< Event number of all softirqs; Row::arg is the number of the softirq.
constexpr std::int32_t Scheduler = 0x9ff;
/// Event number of the idle thread. Idle plus the low 16 bits of a thread ID stands for user-space code of that thread.
constexpr std::int32_t Idle = 0x10000;
constexpr std::int32_t IdleExit = 0x20000; ///< Event number of the time in which a CPU leaves a deep idle state.
constexpr std::int32_t WakeupArc = -3;
} // namespace code

/// Returns the kind of code that rows with the event number `event` describe; Level::None if they describe no code.
Level levelOf(std::int32_t event);

/// Returns the name of the event that is stored for a row of Level::None, e.g. "kutrace:mark_a"; "kutrace:other" if the number is unknown.
std::string_view eventNameOf(std::int32_t event);

/// Returns the reason of a wait, e.g. "disk"; the letter of the reason if it has no name. Requires: WaitA <= event <= WaitZ.
std::string_view waitReasonOf(std::int32_t event);

/// Converts KUtrace's name of an interrupt, e.g. "local_timer_vector", to the Linux kernel's name of the vector, e.g. "local_timer".
/// Returns an empty text for interrupts that have no such vector.
std::string_view vectorNameOf(std::string_view name);

} // namespace helio::kutrace
