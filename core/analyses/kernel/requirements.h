#pragma once

#include "core/analysis/analysis.h"

#include <vector>

namespace helio::kernel {

/// What the trace lacks for the control flow and resources views, with the command that records it.
std::vector<Requirement> missing(const Trace& trace);

} // namespace helio::kernel
