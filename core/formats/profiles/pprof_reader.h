#pragma once

#include "core/base/result.h"
#include "core/trace/stored/sample_recording.h"

#include <stop_token>
#include <string_view>

namespace helio::profiles {

/// True if an uncompressed file that begins with `head` is a profile of pprof, i.e. a message Profile of profile.proto. `head` may end
/// anywhere.
bool isPprof(std::string_view head);

/// Reads a profile of pprof. Each sample type, e.g. "samples" with the unit "count", becomes an event type. The default sample type comes
/// first, the others follow in the order of the profile. Values with a unit of time are converted to ns. Labels become fields of the
/// events. The samples have no times.
/// Errors: Corrupt if the profile has no sample types; Cancelled soon after `stop` is requested. Other damage is reported to `recording`.
/// Cost: parses the samples once for each sample type.
Status readPprof(std::string_view bytes, SampleRecording& recording, const std::stop_token& stop);

} // namespace helio::profiles
