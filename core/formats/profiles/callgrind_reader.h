#pragma once

#include "core/base/result.h"
#include "core/trace/stored/sample_recording.h"

#include <stop_token>
#include <string_view>

namespace helio::profiles {

/// True if a text that begins with `head` is a profile of Callgrind or Cachegrind.
bool isCallgrind(std::string_view head);

/// Reads a profile of Callgrind. It has the costs of functions and of their calls, but no call stacks. Stacks are made of it: the cost of a
/// function is divided among its callers in proportion to the costs of their calls. So the costs of functions, of source lines, and of
/// calls between two functions are those of the profile; only longer chains of calls are estimated. A call of a function by itself adds no
/// frame; functions that call each other in a circle are one frame "<cycle 1>", which calls them. In a profile with millions of callers,
/// the least ones of a function are joined in a frame "[other callers]".
/// Errors: Corrupt if the profile names no events; Cancelled soon after `stop` is requested.
/// Cost: at most 2 million stacks for each event, and 17 for each source line with costs.
Status readCallgrind(std::string_view text, SampleRecording& recording, const std::stop_token& stop);

} // namespace helio::profiles
