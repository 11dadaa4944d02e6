#pragma once

#include "core/profiling/samples/sample_stacks.h"
#include "core/symbol/unwinding/unwind_end.h"

#include <cstdint>
#include <string>
#include <vector>

namespace helio {

struct Timeline;

/// Stacks whose outermost callers are missing, for one reason.
struct EarlyEnd {
    UnwindEnd why = UnwindEnd::Complete;
    std::uint64_t samples = 0;
    std::vector<std::string> modules; ///< That the last frames are in, most samples first; those without a module are not among them.

    bool operator==(const EarlyEnd&) const = default;
};

/// All of them, the reason of most samples first.
struct EarlyEnds {
    std::vector<EarlyEnd> reasons;
    std::uint64_t samples = 0; ///< Whose stacks end early...
    std::uint64_t all = 0; ///< ...of so many.

    bool operator==(const EarlyEnds&) const = default;
};

/// Cost: some ns a frame of the collected stacks. Threads: any.
EarlyEnds earlyEnds(const StackProfile& profile, const Timeline& timeline);

/// "libc.so.6, libm.so.6 and 3 more": at most four of them by name.
std::string listOfModules(const std::vector<std::string>& modules);

/// "300 of 430 stacks end early: the copy of the stack is shorter than the stack; perf record --call-graph dwarf,65528 copies the most."
std::string sentenceOf(const EarlyEnd& end, std::uint64_t all);

/// "300: the copy of the stack is shorter than the stack": one in a list of them.
std::string phraseOf(const EarlyEnd& end);

} // namespace helio
