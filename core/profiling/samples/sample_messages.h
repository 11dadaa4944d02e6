#pragma once

#include "core/profiling/samples/call_tree.h"
#include "core/profiling/samples/truncated_stacks.h"
#include "core/query/rows/messages.h"

#include <string>
#include <vector>

namespace helio {

/// Samples in code whose functions have no names although symbols could name them.
struct MissingSymbols {
    SampleSum sum;
    std::vector<std::string> modules; ///< Modules with the most samples first.
    bool operator==(const MissingSymbols&) const = default;
};

/// Sums up samples by their innermost frames. Code in no module, and code of recordings with their own names, is not counted: symbols would
/// not name it. Requires: names and profile belong to the timeline.
/// Threads: any.
/// Cost: a few ns for each collected stack.
MissingSymbols missingSymbols(const StackProfile& profile, const StackNames& names, const Timeline& timeline);

/// Returns messages about the limits of samples: their stacks end early, or their code has no names. They are warnings if a notable
/// share of the samples is concerned, else notes.
std::vector<Message> sampleMessages(const TruncatedStacks& ends, const MissingSymbols& nameless, std::uint64_t samples);

} // namespace helio
