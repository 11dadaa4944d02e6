#pragma once

#include "core/profiling/samples/stack_names.h"

namespace helio {

/// The names of both sides' stacks, alike enough for their call trees to compare.
struct SideNames {
    StackNames a;
    StackNames b;
    bool foldsInlined = false; ///< Inlined functions are no frames: their time is their callers'. On both sides.
    bool isOfA = false; ///< With foldsInlined: whether it is A whose recording or symbols name no inlined functions.
};

/// Where one side's names mark inlined functions (by DWARF, by perf script's marks) and the other's do not, the same code would be other
/// frames on each: then they are left out on both. Not where the other has most of them as functions of their own: it was built without
/// inlining, and the frames are the same as they are.
///
/// Threads, cost: as nameStacks() of each side, of one of them twice where inlined functions are left out.
SideNames nameSides(const StackProfile& ofA, const Timeline& a, const StackProfile& ofB, const Timeline& b,
                    QueryProgress* progress = nullptr, std::stop_token stop = {});

} // namespace helio
