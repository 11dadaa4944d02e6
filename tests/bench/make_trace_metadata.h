#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace helio::bench {

/// Event types of a synthetic trace; the values are the event ids in its streams.
enum class MadeEvent : std::uint16_t {
    Switch,
    Waking,
    Wakeup,
    WakeupNew,
    Migrate,
    Fork,
    Exec,
    Exit,
    Free,
    IrqEntry,
    IrqExit,
    SoftirqRaise,
    SoftirqEntry,
    SoftirqExit,
    Statedump,
    StatedumpEnd,
    FirstSyscall, ///< Entry event of madeSyscalls[0]; its exit event follows, then the entry and exit events of each further system call.
};

/// System calls of a synthetic trace. All entry events have a descriptor and a count, all exit events a result.
inline constexpr std::array<const char*, 8> madeSyscalls{"read", "write", "futex", "epoll_wait", "openat", "close", "mmap", "nanosleep"};

using MadeUuid = std::array<std::uint8_t, 16>;

/// Returns TSDL metadata (CTF 1.8) as LTTng's kernel tracer writes it: large event headers, one stream for each CPU. `offset`: ns from
/// the epoch to the clock's zero.
std::string madeMetadata(const MadeUuid& uuid, const MadeUuid& clock, std::int64_t offset);

} // namespace helio::bench
