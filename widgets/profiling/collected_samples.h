#pragma once

#include "core/profiling/samples/sample_messages.h"
#include "core/profiling/samples/sample_stacks.h"
#include "core/profiling/samples/stack_names.h"
#include "core/profiling/samples/truncated_stacks.h"

#include <memory>
#include <string>
#include <vector>

namespace helio {

/// Collected samples with the names known so far. Immutable: other samples or more names make a new object.
struct CollectedSamples {
    std::shared_ptr<const Timeline> timeline;
    std::shared_ptr<const StackProfile> profile; ///< nullptr if nothing was collected yet.
    std::shared_ptr<const StackNames> names;
    TimeRange range{}; ///< Range that was asked for.
    SampleFilter filter{}; ///< Filter that the samples passed, including their kind.
    /// Kinds for a filter that shows `kind`; several for the sum of all off-CPU kinds.
    std::vector<std::string> kindsOf(const std::string& kind) const;
    bool isSelection = false; ///< True if `range` is the selection, false if it is the visible range.
    MissingSymbols nameless{}; ///< Known once the names are complete.
    TruncatedStacks ends{}; ///< Stacks that end early.
};

/// Frees the parts of the samples that nothing else holds. Threads: frees them on another thread.
void freeSamples(CollectedSamples samples);

/// Kinds of samples in the timeline. If several kinds are times off the CPU, their sum comes before them as a kind of its own.
std::vector<SampleKindFacts> shownKinds(const Timeline& timeline);

} // namespace helio
