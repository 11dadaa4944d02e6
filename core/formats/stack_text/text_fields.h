#pragma once

#include "core/trace/fields/event_type.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace helio::stacktext {

/// A field of a tracepoint's text. Views of it.
struct TextField {
    std::string_view name;
    std::string_view text;
    std::int64_t number = 0;
    bool isNumber = false;
};

/// Takes a tracepoint's text apart: "comm=migration/0 pid=18 prio=0", and what the kernel or perf write in other ways for
/// raw_syscalls:sys_enter, raw_syscalls:sys_exit and sched:sched_switch. What has no such fields is one named "text".
void parseFields(std::string_view event, std::string_view text, std::vector<TextField>& fields);

/// As the kernel reports it: "S" is 1, "R+" is 256.
std::int64_t taskState(std::string_view letters);

/// Size in bytes of an event's head: i32 pid, i32 tid, u64 period, u32 stack, u32 command. The fields follow it without padding, numbers in
/// 64 bits, texts with a NUL at their end.
constexpr std::size_t TextHeadSize = 24;
EventType makeTextType(std::string_view name, const std::vector<TextField>& fields, bool hasPids, bool hasPeriod);

} // namespace helio::stacktext
