#pragma once

#include "core/profiling/samples/sample_stacks.h"

#include <functional>

namespace helio {

/// Collects samples like collectStacks(), but each sample is a stack of its own, in time order: for views that show them one after the
/// other.
/// Cost: 64 bytes per sample.
StackProfile collectSingleSamples(const Timeline& timeline, const SampleFilter& filter, QueryProgress* progress = nullptr,
                                  std::stop_token stop = {});

/// Called for each sample, trace by trace and kind by kind, in time order within each kind. `sample` is a single sample at time `first`
/// with its weight. The profile holds the nodes and threads met so far, and no stacks; visitSamples() returns it at the end.
/// Cost: memory for the nodes alone.
using SampleVisitor = std::function<void(const StackProfile& soFar, const CollectedStack& sample)>;
StackProfile visitSamples(const Timeline& timeline, const SampleFilter& filter, const SampleVisitor& visit, std::stop_token stop = {});

} // namespace helio
