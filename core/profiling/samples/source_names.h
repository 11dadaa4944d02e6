#pragma once

#include "core/profiling/samples/stack_names.h"

namespace helio {

/// A profile by its sources: what were functions are files ("initprm.c") or lines ("initprm.c:38") of their code, one of each module. Code
/// without lines stays nameless, with the reason. SampledFunction::place is then the file's whole path: several may have one name.
///
/// Threads: any but the UI's: reads debug information. Cost: some microseconds an address.
StackNames namedBySource(const StackProfile& profile, const StackNames& names, const Timeline& timeline, bool withLines,
                         std::stop_token stop = {});

} // namespace helio
