#pragma once

#include "core/base/result.h"
#include "core/trace/stored/sample_recording.h"

#include <stop_token>
#include <string_view>

namespace helio::profiles {

/// True if the text is a speedscope file.
bool isSpeedscope(std::string_view text);

/// Reads a speedscope file. Each profile in the file becomes a thread with the profile's name. In a "sampled" profile, the time of a sample
/// is the time at which its weight begins. In an "evented" profile, the span between two events becomes a sample if a frame is open. If the
/// unit of any profile is not a time, e.g. "bytes", no sample has a time.
/// Errors: Corrupt if the text is not JSON or has no profiles; Cancelled soon after `stop` is requested.
Status readSpeedscope(std::string_view text, SampleRecording& recording, const std::stop_token& stop);

} // namespace helio::profiles
