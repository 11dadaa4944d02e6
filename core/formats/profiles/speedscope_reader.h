#pragma once

#include "core/base/result.h"
#include "core/trace/stored/sample_recording.h"

#include <stop_token>
#include <string_view>

namespace helio::profiles {

/// True if the text is a file of speedscope.
bool isSpeedscope(std::string_view text);

/// Reads a file of speedscope. Each of its profiles becomes a thread with the profile's name. A sample has the time at which its weight
/// begins; of an evented profile, each time between two events becomes a record. There are no times if a profile has another unit.
/// Errors: Corrupt if the text is no JSON, or has no profiles; Cancelled soon after `stop` is requested.
Status readSpeedscope(std::string_view text, SampleRecording& recording, const std::stop_token& stop);

} // namespace helio::profiles
