#pragma once

#include "core/base/result.h"
#include "core/trace/stored/sample_recording.h"

#include <stop_token>
#include <string_view>

namespace helio::profiles {

/// True if a text that begins with `head` is a .cpuprofile, as V8 (Node.js, Chrome) writes it.
bool isCpuProfile(std::string_view head);

/// Reads a .cpuprofile. Each sample has its time; its weight is the time until the next sample. Profiles without times have a number of
/// samples for each node instead. Lines are not read: those of functions are not those of the samples.
/// Errors: Corrupt if the text is no JSON, or has no nodes; Cancelled soon after `stop` is requested.
Status readCpuProfile(std::string_view text, SampleRecording& recording, const std::stop_token& stop);

} // namespace helio::profiles
