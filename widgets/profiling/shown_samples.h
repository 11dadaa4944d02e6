#pragma once

#include "core/profiling/samples/early_ends.h"
#include "core/profiling/samples/missing_symbols.h"
#include "core/profiling/samples/sample_stacks.h"
#include "core/profiling/samples/stack_names.h"

#include <memory>
#include <string>
#include <vector>

namespace helio {

/// Collected samples with the names known so far. Immutable; a new one comes with other samples or more names.
struct ShownSamples {
    std::shared_ptr<const Timeline> timeline;
    std::shared_ptr<const StackProfile> profile; ///< Null: nothing was collected yet.
    std::shared_ptr<const StackNames> names;
    TimeRange range{}; ///< That was asked for.
    SampleFilter filter{}; ///< What they passed, their kind's too.
    std::vector<std::string> kindsOf(const std::string& kind) const; ///< For the filter, of samples of another kind.
    bool isSelection = false; ///< The range is the selected one, not the visible window.
    MissingSymbols nameless{}; ///< Known when the names are complete.
    EarlyEnds ends{}; ///< Of their stacks.
};

/// Frees what nothing else has of them, on another thread.
void discardSamples(ShownSamples samples);

/// The kinds of samples that the timeline has. Where several are of times off the CPU, all of these together stand before them as one.
std::vector<SampleKindFacts> shownKinds(const Timeline& timeline);

} // namespace helio
