#pragma once

#include "core/base/result.h"
#include "core/trace/stored/sample_recording.h"

#include <stop_token>
#include <string_view>

namespace helio::profiles {

/// True if the text is a profile for the Firefox Profiler: a "Gecko profile", which Firefox writes, or a "processed profile", which the
/// Firefox Profiler and other programs such as samply write.
bool isGecko(std::string_view text);

/// Reads a profile for the Firefox Profiler with all its processes and threads. Times are ns since the Unix epoch. Markers are not read.
/// Errors: Corrupt if the text is not JSON or has no threads; Cancelled soon after `stop` is requested.
Status readGecko(std::string_view text, SampleRecording& recording, const std::stop_token& stop);

} // namespace helio::profiles
