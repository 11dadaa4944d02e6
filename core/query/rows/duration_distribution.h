#pragma once

#include "core/base/time.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace helio {

/// Distribution of durations. Percentiles are exact, by nearest rank.
struct DurationDistribution {
    static constexpr int PerOctave = 4;

    std::uint64_t count = 0;
    Duration total{}; ///< Sum of all durations; saturates at Duration::max().
    Duration least{};
    Duration median{}; ///< Median; if the count is even, the lower of the two middle durations.
    Duration p90{};
    Duration p99{}; ///< 99th percentile: 99 % of the durations are at most this long.
    Duration p999{}; ///< 99.9th percentile: 99.9 % of the durations are at most this long.
    Duration most{};
    /// Number of durations by bucket. Bucket i counts durations from 2^(i / PerOctave) ns up to the start of the next bucket; bucket 0 also
    /// counts durations below 1 ns.
    std::vector<std::uint32_t> byLength;

    static std::size_t bucketOf(Duration duration);
    static Duration bucketBegin(std::size_t bucket);
};

/// Returns the distribution of `lengths`, in ns.
/// Cost: sorts the lengths partially.
DurationDistribution summarizeDurations(std::vector<std::int64_t> lengths);

/// Returns a percentile of the lengths by nearest rank: the shortest length that is not exceeded by `percent` % of the lengths. Reorders
/// the lengths. Requires: at least one length, and 1 to 100 percent.
/// Cost: about 10 ns per length.
Duration nearestRank(std::span<std::int64_t> lengths, std::size_t percent);

/// Returns the length of a range, saturated at Duration::max() because times may be saturated too and the difference would overflow.
/// Negative if the range ends before it begins.
Duration lengthOf(TimeRange range);

} // namespace helio
