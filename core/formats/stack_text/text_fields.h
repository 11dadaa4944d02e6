#pragma once

#include "core/trace/fields/event_type.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace helio::stacktext {

/// A field of a tracepoint's text.
/// Ownership: the strings are views of the text.
struct TextField {
    std::string_view name;
    std::string_view text;
    std::int64_t number = 0;
    bool isNumber = false;
};

/// Splits the text of a tracepoint, such as "comm=migration/0 pid=18 prio=0", into fields. Also supports the different formats of the
/// kernel or perf for raw_syscalls:sys_enter, raw_syscalls:sys_exit and sched:sched_switch. Any other text becomes a single field "text".
void parseFields(std::string_view event, std::string_view text, std::vector<TextField>& fields);

/// Returns the number by which the kernel reports a task state with these letters: "S" is 1, "R+" is 256.
std::int64_t taskState(std::string_view letters);

/// Size in bytes of the head of a stored event: i32 pid, i32 tid, u64 period, u32 stack, u32 command. The fields follow the head without
/// padding: numbers have 64 bits, texts end with a NUL.
constexpr std::size_t TextHeadSize = 24;
EventType makeTextType(std::string_view name, const std::vector<TextField>& fields, bool hasPids, bool hasPeriod);

} // namespace helio::stacktext
