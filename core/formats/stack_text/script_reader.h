#pragma once

#include "core/base/result.h"
#include "core/trace/stored/sample_recording.h"

#include <stop_token>
#include <string_view>

namespace helio::stacktext {

/// True if a text that begins with `begin` is the output of perf script. `isWhole` is true if `begin` is the whole text.
bool isScript(std::string_view begin, bool isWhole);

/// True if the first line that is not a comment is the head line of a sample with a time and a thread. This check is stricter than
/// isScript(), which also accepts texts of other origin with a line that looks like a sample.
bool beginsWithTimedSample(std::string_view begin);

/// Reads the output of perf script. Unreadable lines are reported.
///
/// Errors: Cancelled soon after a stop request.
/// Cost: limited by memory bandwidth if frames repeat.
Status readScript(std::string_view text, SampleRecording& recording, std::stop_token stop);

} // namespace helio::stacktext
