#pragma once

#include "core/trace/fields/event_type.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace helio::stacktext {

/// A field of a tracepoint's text. Ownership: the strings are views of the text.
struct TextField {
    std::string_view name;
    std::string_view text;
    std::int64_t number = 0;
    bool isNumber = false;
};

/// Splits a tracepoint's text like "comm=migration/0 pid=18 prio=0" into fields. Also understands the other formats of the kernel or perf
/// for raw_syscalls:sys_enter, raw_syscalls:sys_exit and sched:sched_switch. Any other text becomes a single field "text".
void parseFields(std::string_view event, std::string_view text, std::vector<TextField>& fields);

/// Returns a task state's letters as the number that the kernel reports: "S" is 1, "R+" is 256.
std::int64_t taskState(std::string_view letters);

/// Size in bytes of an event's head: i32 pid, i32 tid, u64 period, u32 stack, u32 command. The fields follow without padding: numbers have
/// 64 bits, texts end with a NUL.
constexpr std::size_t TextHeadSize = 24;
EventType makeTextType(std::string_view name, const std::vector<TextField>& fields, bool hasPids, bool hasPeriod);

} // namespace helio::stacktext
