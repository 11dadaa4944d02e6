#pragma once

#include "core/profiling/samples/stack_names.h"

namespace helio {

/// Names of both sides' stacks, made alike so that their call trees can be compared.
struct SideNames {
    StackNames a;
    StackNames b;
    bool omitsInlined = false; ///< True if inlined functions are no frames, on both sides: their time belongs to their callers.
    bool isOfA = false; ///< With omitsInlined: true if it is A's recording or symbols that name no inlined functions, false if it is B's.
};

/// Names the stacks of both sides. If one side's names mark inlined functions (from DWARF, or by marks of perf script) and the other side's
/// names do not, the same code would have different frames. Then inlined functions are left out on both sides. They stay if the other side
/// has most of them as functions of their own: it was built without inlining, and the frames are the same anyway.
///
/// Threads and cost: like nameStacks() of each side, twice for one side if inlined functions are left out.
SideNames nameSides(const StackProfile& ofA, const Timeline& a, const StackProfile& ofB, const Timeline& b,
                    QueryProgress* progress = nullptr, std::stop_token stop = {});

} // namespace helio
