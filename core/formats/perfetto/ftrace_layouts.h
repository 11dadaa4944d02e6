#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace helio::perfetto {

/// How the value of an event's field is to be stored.
enum class FtraceFieldKind : std::uint8_t {
    Plain, ///< Stored unchanged.
    Address, ///< Address in memory.
    Symbol, ///< Kernel function: its number in the interned data of its packet (kernel_symbols).
    Device, ///< Device number: the number of user space (makedev) in the file, that of the kernel in the tracepoint.
};

struct FtraceField {
    std::string_view name; ///< Empty if this reader does not know the field.
    FtraceFieldKind kind = FtraceFieldKind::Plain;
};

/// Name and fields of an event type of ftrace.
struct FtraceLayout {
    std::string_view name; ///< Empty if this reader does not know the event.
    std::vector<FtraceField>
        fields; ///< Indexed by the number of the field in the file, minus 1. May be empty although the event has fields.
};

/// Returns the layout of the events in a field of FtraceEvent; an empty one for an unknown field.
/// Threads: any.
const FtraceLayout& ftraceLayout(std::uint32_t number);

/// Fields of FtraceEvent that the reader handles by itself.
namespace ftrace {
constexpr std::uint32_t SchedSwitch = 4;
constexpr std::uint32_t Generic = 327;
} // namespace ftrace

} // namespace helio::perfetto
