#pragma once

#include "core/query/export/call_tree_text.h"

#include <span>

namespace helio {

/// Samples of one kind with their names.
struct SpeedscopePart {
    const StackProfile& profile; ///< Of collectSequence(): the order of its stacks is that of the file's "time order".
    const StackNames& names;
    WeightBy by = WeightBy::Samples;
};

/// speedscope's file format (version 0.0.1, "sampled"): of each kind a profile for each thread, those with most first; its samples in time
/// order, with their weights, in ns where those are times. Which stacks and frames, as a tree with these options has them.
/// https://github.com/jlfwong/speedscope/wiki/Importing-from-custom-sources
void writeSpeedscope(std::span<const SpeedscopePart> parts, const CallTreeOptions& options, std::string_view name, const TextSink& write);

} // namespace helio
