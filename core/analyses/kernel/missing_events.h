#pragma once

#include "core/analysis/analysis.h"

#include <vector>

namespace helio::kernel {

/// Returns the events that the trace lacks for the views control-flow and resources, with the commands that record them.
std::vector<MissingEvents> missing(const Trace& trace);

} // namespace helio::kernel
