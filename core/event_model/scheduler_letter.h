#pragma once

#include <string_view>

namespace helio {

/// Returns the letter by which the kernel reports the state of a thread that is not on a CPU, e.g. "S" or "D" (fs/proc/array.c,
/// task_state_array). `state` is the name of a thread's state, StateKind::name. The result is empty for states on a CPU, for runnable
/// states, and if the letter is unknown.
std::string_view schedulerLetterOf(std::string_view state);

} // namespace helio
