#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace helio::perfetto {

/// Kind of a field of an ftrace event, which tells how to store the field's value.
enum class FtraceFieldKind : std::uint8_t {
    Plain, ///< Number or text, which is stored unchanged.
    Address, ///< Memory address, which is stored as hexadecimal digits.
    Symbol, ///< Kernel function. The file contains the ID of its name in the interned table kernel_symbols.
    /// Device number. The file contains the encoding of user space (makedev); the tracepoint has the encoding of the kernel (MKDEV).
    Device,
};

struct FtraceField {
    std::string_view name; ///< Name of the field; empty if this reader does not know the field.
    FtraceFieldKind kind = FtraceFieldKind::Plain;
};

/// Name and fields of an event type of ftrace.
struct FtraceLayout {
    std::string_view name; ///< Name of the event; empty if this reader does not know the event.
    std::vector<FtraceField>
        fields; ///< Fields of the event, indexed by protobuf field number - 1. May be empty although the event has fields.
};

/// Returns the layout of the ftrace events that the field `number` of the message FtraceEvent contains; an empty layout if it is unknown.
/// Threads: any thread may call it at any time.
const FtraceLayout& ftraceLayout(std::uint32_t number);

/// Field numbers in the message FtraceEvent of the events that the reader treats in a special way.
namespace ftrace {
constexpr std::uint32_t SchedSwitch = 4;
constexpr std::uint32_t Generic = 327;
} // namespace ftrace

} // namespace helio::perfetto
