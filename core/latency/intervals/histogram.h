#pragma once

#include "core/base/time.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace helio {

/// So many lengths of [from, to).
struct HistogramBucket {
    Duration from{};
    Duration to{};
    std::uint64_t count = 0;
    bool operator==(const HistogramBucket&) const = default;
};

/// Parts the lengths (in ns, in any order) from the shortest to the longest into at most so many buckets that touch: of equal widths, or of
/// equal ratios, where lengths of 0 have one of their own before the others, and those below 0 one before that. Requires: 1 or more.
/// Cost: some 5 ns a length.
std::vector<HistogramBucket> bucketsOf(std::span<const std::int64_t> lengths, std::size_t most, bool isLogarithmic);

} // namespace helio
