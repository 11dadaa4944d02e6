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
    Duration total{}; ///< Saturates at Duration::max().
    Duration least{};
    Duration median{}; ///< The lower of the two middle ones if the count is even.
    Duration p90{};
    Duration p99{}; ///< The shortest duration that 99 % do not exceed.
    Duration p999{}; ///< The shortest duration that 99.9 % do not exceed.
    Duration most{};
    /// Count by bucket: bucket i has durations from 2^(i / PerOctave) ns up to the begin of the next bucket; bucket 0 also has shorter
    /// ones.
    std::vector<std::uint32_t> byLength;

    static std::size_t bucketOf(Duration duration);
    static Duration bucketBegin(std::size_t bucket);
};

/// Summarizes lengths in ns.
/// Cost: sorts them partially.
DurationDistribution summarizeDurations(std::vector<std::int64_t> lengths);

/// Returns the shortest length that at least `percent` of the lengths do not exceed (nearest rank). Reorders the lengths. Requires: at
/// least one length, and 1 to 100 percent.
/// Cost: about 10 ns per length.
Duration nearestRank(std::span<std::int64_t> lengths, std::size_t percent);

/// Returns the length of a range, saturated at Duration::max(): clock times may be saturated and too far apart. Negative if the range ends
/// before it begins.
Duration lengthOf(TimeRange range);

} // namespace helio
