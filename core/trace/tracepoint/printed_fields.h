#pragma once

#include "core/trace/stored/stored_events.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace helio::tracepoint {

/// Splits the text of a tracepoint, such as "comm=migration/0 pid=18 prio=0", into fields. Supports also the different formats of the
/// kernel or perf for raw_syscalls:sys_enter, raw_syscalls:sys_exit and sched:sched_switch. Any other text becomes a single field "text".
void parsePrintedFields(std::string_view event, std::string_view text, std::vector<StoredField>& fields);

/// Returns the number by which the kernel reports a task state that it prints with these letters: "S" is 1, "R+" is 256.
std::int64_t taskState(std::string_view letters);

} // namespace helio::tracepoint
