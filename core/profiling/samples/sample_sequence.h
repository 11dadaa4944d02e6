#pragma once

#include "core/profiling/samples/sample_stacks.h"

#include <functional>

namespace helio {

/// As collectStacks(), but each sample is a stack of its own, in time order: for what shows one after the other. Memory: 64 bytes a sample.
StackProfile collectSequence(const Timeline& timeline, const SampleFilter& filter, QueryProgress* progress = nullptr,
                             std::stop_token stop = {});

/// One sample after the other, trace by trace and kind by kind, in time order within each: `samples` is one, with its weight, at `first`;
/// the profile holds the nodes and threads that were met so far, and no stacks; it is handed over at the end. Memory: of the nodes alone.
using SampleVisitor = std::function<void(const StackProfile& soFar, const CollectedStack& sample)>;
StackProfile visitSamples(const Timeline& timeline, const SampleFilter& filter, const SampleVisitor& visit, std::stop_token stop = {});

} // namespace helio
