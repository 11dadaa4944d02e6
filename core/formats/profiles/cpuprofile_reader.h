#pragma once

#include "core/base/result.h"
#include "core/trace/stored/sample_recording.h"

#include <stop_token>
#include <string_view>

namespace helio::profiles {

/// True if a text that begins with `head` is a .cpuprofile file, which the JavaScript engine V8 (Node.js, Chrome) writes.
bool isCpuProfile(std::string_view head);

/// Reads a .cpuprofile file. The weight of a sample is the time in ns until the next sample. A profile without times has only a number of
/// samples per node of the call tree. The samples get no source lines, because the profile's line numbers are those of function beginnings.
/// Errors: Corrupt if the text is not JSON or has no nodes; Cancelled soon after `stop` is requested.
Status readCpuProfile(std::string_view text, SampleRecording& recording, const std::stop_token& stop);

} // namespace helio::profiles
