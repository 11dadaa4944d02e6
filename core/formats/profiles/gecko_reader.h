#pragma once

#include "core/base/result.h"
#include "core/trace/stored/sample_recording.h"

#include <stop_token>
#include <string_view>

namespace helio::profiles {

/// True if the text is a profile of Firefox, as its profiler ("Gecko profile") or a program for the Firefox Profiler, e.g. samply, writes
/// it ("processed profile").
bool isGecko(std::string_view text);

/// Reads a profile of Firefox with all its processes and threads. Times are ns since the Unix epoch. Markers are not read.
/// Errors: Corrupt if the text is no JSON, or has no threads; Cancelled soon after `stop` is requested.
Status readGecko(std::string_view text, SampleRecording& recording, const std::stop_token& stop);

} // namespace helio::profiles
