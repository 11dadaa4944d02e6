#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace helio::bench {

/// Events of a made trace; the enumerators' values are the event ids in its streams.
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
    FirstSyscall, ///< Entry of madeSyscalls[0]; followed by its exit, then by the entry and exit of each further system call.
};

/// System calls of a made trace. All entries have a descriptor and a count, all exits a result.
inline constexpr std::array<const char*, 8> madeSyscalls{"read", "write", "futex", "epoll_wait", "openat", "close", "mmap", "nanosleep"};

using MadeUuid = std::array<std::uint8_t, 16>;

/// TSDL metadata (CTF 1.8) like LTTng's kernel tracer writes it: large event headers, one stream for each CPU. `offset`: ns from the epoch
/// to the clock's zero.
std::string madeMetadata(const MadeUuid& uuid, const MadeUuid& clock, std::int64_t offset);

} // namespace helio::bench
