#pragma once

#include "core/store/samples.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <stop_token>

namespace helio {

/// Selects samples of one kind by time and by number. The samples of a kind are numbered from 0 in the order in which they were recorded.
struct SampleSelection {
    HostRange range{HostTimestamp::min(), HostTimestamp::max()};
    std::uint64_t first = 0;
    std::uint64_t last = std::numeric_limits<std::uint64_t>::max(); ///< Number of the last selected sample.
};

/// Receives the samples of a block; `first` is the number of the first of them.
using SampleBlockVisitor = std::function<void(std::uint64_t first, std::span<const HostSample> samples)>;

/// Calls `take` with the blocks that may contain selected samples of a kind, in the order of the numbers. Blocks also contain samples that
/// are not selected; for off-CPU samples, they contain all selected samples that begin in the range. Damaged blocks are left out, but
/// their samples keep their numbers.
/// Cost: visits the directory of blocks, and decodes each selected block, 4096 samples or fewer, at about 20 ns per sample.
void visitSampleBlocks(const SampleSet& samples, SampleKindId kind, const SampleSelection& selection, const SampleBlockVisitor& take,
                       std::stop_token stop = {});

} // namespace helio
