#pragma once

#include "core/base/result.h"
#include "core/trace/stored/sample_recording.h"

#include <stop_token>
#include <string_view>

namespace helio::profiles {

/// True if a text that begins with `head` is a profile of Callgrind or Cachegrind.
bool isCallgrind(std::string_view head);

/// Reads a profile of Callgrind. The profile contains the costs of functions and of their calls, but no call stacks. This function
/// estimates call stacks: it divides the cost of a function among its callers in proportion to the costs of their calls. The costs of
/// functions, source lines and calls between two functions are exact; only longer call chains are estimated. A recursive call of a function
/// adds no frame. For functions that call each other in a cycle, a frame such as "<cycle 1>" is inserted as the caller of all of them. In a
/// profile with millions of callers, the cheapest callers of each function are joined in one frame, "[other callers]".
/// Errors: Corrupt if the profile names no events; Cancelled soon after `stop` is requested.
/// Cost: for each event, makes at most 2 million stacks, plus at most 17 stacks for each source line that has costs.
Status readCallgrind(std::string_view text, SampleRecording& recording, const std::stop_token& stop);

} // namespace helio::profiles
