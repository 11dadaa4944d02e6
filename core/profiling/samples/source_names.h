#pragma once

#include "core/profiling/samples/stack_names.h"

namespace helio {

/// Returns the names of a profile by source: each function is replaced by the file ("initprm.c") or line ("initprm.c:38") of its code,
/// separately for each module. Code without lines stays without a name, with the reason. SampledFunction::place is then the file's full
/// path, since several files may have the same name.
///
/// Threads: any but the UI thread: reads debug information.
/// Cost: some microseconds an address.
StackNames nameBySource(const StackProfile& profile, const StackNames& names, const Timeline& timeline, bool withLines,
                        std::stop_token stop = {});

} // namespace helio
