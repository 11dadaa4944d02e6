#pragma once

#include "core/query/sample_stacks.h"

namespace helio {

/// As collectStacks(), but each sample is a stack of its own, in time order: for what shows one after the other. Memory: 64 bytes a sample.
StackProfile collectSequence(const Timeline& timeline, const SampleFilter& filter, QueryProgress* progress = nullptr, std::stop_token stop = {});

} // namespace helio
