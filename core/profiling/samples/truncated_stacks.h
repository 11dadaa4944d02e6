#pragma once

#include "core/profiling/samples/sample_stacks.h"
#include "core/symbol/unwinding/unwind_end.h"

#include <cstdint>
#include <string>
#include <vector>

namespace helio {

struct Timeline;

/// Truncated stacks, which lack their outermost callers, for one reason.
struct StackTruncation {
    UnwindEnd why = UnwindEnd::Complete;
    std::uint64_t samples = 0;
    /// Modules of the outermost known frames, in descending order of samples; frames without a module are not included.
    std::vector<std::string> modules;

    bool operator==(const StackTruncation&) const = default;
};

/// Truncated stacks by reason, in descending order of samples.
struct TruncatedStacks {
    std::vector<StackTruncation> reasons;
    std::uint64_t samples = 0; ///< Number of samples with truncated stacks.
    std::uint64_t all = 0; ///< Number of all samples of the profile.

    bool operator==(const TruncatedStacks&) const = default;
};

/// Returns the truncated stacks of a profile.
/// Threads: any.
/// Cost: a few ns per frame of the collected stacks.
TruncatedStacks findTruncatedStacks(const StackProfile& profile, const Timeline& timeline);

/// Returns a list of at most four modules by name, for example "libc.so.6, libm.so.6, libz.so.1, app and 3 more".
std::string listOfModules(const std::vector<std::string>& modules);

/// Returns a clause about the truncated stacks, with advice, for example "300 of 430 stacks are truncated: the recorded stack copy is
/// too short; record with --call-graph dwarf,65528 to copy as much as possible".
std::string sentenceOf(const StackTruncation& end, std::uint64_t all);

/// Returns an item for a list of reasons, for example "300 because the recorded stack copy is too short".
std::string phraseOf(const StackTruncation& end);

} // namespace helio
