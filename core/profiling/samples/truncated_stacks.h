#pragma once

#include "core/profiling/samples/sample_stacks.h"
#include "core/symbol/unwinding/unwind_end.h"

#include <cstdint>
#include <string>
#include <vector>

namespace helio {

struct Timeline;

/// Stacks without their outermost callers, for one reason.
struct StackTruncation {
    UnwindEnd why = UnwindEnd::Complete;
    std::uint64_t samples = 0;
    std::vector<std::string> modules; ///< Modules of the outermost known frames, most samples first; frames without a module are left out.

    bool operator==(const StackTruncation&) const = default;
};

/// All reasons, those with the most samples first.
struct TruncatedStacks {
    std::vector<StackTruncation> reasons;
    std::uint64_t samples = 0; ///< Number of samples with such stacks.
    std::uint64_t all = 0; ///< Number of all samples.

    bool operator==(const TruncatedStacks&) const = default;
};

/// Returns the stacks that end early.
/// Threads: any.
/// Cost: a few ns per frame of the collected stacks.
TruncatedStacks findTruncatedStacks(const StackProfile& profile, const Timeline& timeline);

/// Returns "libc.so.6, libm.so.6 and 3 more": at most four modules by name.
std::string listOfModules(const std::vector<std::string>& modules);

/// Returns a sentence: "300 of 430 stacks end early: the copy of the stack is shorter than the stack; perf record --call-graph dwarf,65528
/// copies the most."
std::string sentenceOf(const StackTruncation& end, std::uint64_t all);

/// Returns an item of a list: "300: the copy of the stack is shorter than the stack".
std::string phraseOf(const StackTruncation& end);

} // namespace helio
