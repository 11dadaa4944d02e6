#pragma once

#include "core/profiling/samples/sample_messages.h"
#include "core/profiling/samples/sample_stacks.h"
#include "core/profiling/samples/stack_names.h"
#include "core/profiling/samples/truncated_stacks.h"

#include <memory>
#include <string>
#include <vector>

namespace helio {

/// Collected samples, with the function names that are loaded so far. Immutable: other samples or more names make a new object.
struct CollectedSamples {
    std::shared_ptr<const Timeline> timeline;
    std::shared_ptr<const StackProfile> profile; ///< Stacks of the samples; nullptr before the first collection.
    std::shared_ptr<const StackNames> names;
    TimeRange range{}; ///< Requested time range.
    SampleFilter filter{}; ///< Filter of the samples, including their kind.
    /// Returns the kinds of samples that are collected for `kind`: several for the sum of all off-CPU kinds, otherwise one.
    std::vector<std::string> kindsOf(const std::string& kind) const;
    bool isSelection = false; ///< True if `range` is the selection, false if it is the visible range.
    MissingSymbols nameless{}; ///< Code without names; known once the names are complete.
    TruncatedStacks ends{}; ///< Stacks that end early, because unwinding failed.
};

/// Frees the parts of the samples that are not used elsewhere.
/// Threads: frees them on another thread.
void freeSamples(CollectedSamples samples);

/// Returns the kinds of samples in the timeline. If several kinds are times off the CPU, a kind with the sum of these times precedes them.
std::vector<SampleKindFacts> shownKinds(const Timeline& timeline);

} // namespace helio
