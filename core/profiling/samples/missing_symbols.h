#pragma once

#include "core/profiling/samples/call_tree.h"

#include <string>
#include <vector>

namespace helio {

/// What was sampled in code whose functions have no names, where symbols would give it some.
struct MissingSymbols {
    SampleSum sum;
    std::vector<std::string> modules; ///< Most samples first.
    bool operator==(const MissingSymbols&) const = default;
};

/// By the innermost frames. Code of no module, and of recordings that bring their own names, is not counted: no symbols would name it.
/// Requires: names and profile are the timeline's. Threads: any. Cost: some ns for each collected stack.
MissingSymbols missingSymbols(const StackProfile& profile, const StackNames& names, const Timeline& timeline);

} // namespace helio
