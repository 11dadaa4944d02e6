#pragma once

#include "core/trace/trace.h"

namespace helio::ctf {

/// Reads the metadata of a trace and lists its stream files; TraceOpening::finish() finds the packets.
/// Errors: Unsupported and Corrupt refer to the metadata.
Result<std::unique_ptr<TraceOpening>> beginCtf(const TraceSource& source);

} // namespace helio::ctf
