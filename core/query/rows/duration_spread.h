#pragma once

#include "core/base/time.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace helio {

/// How long something lasted, each time that it did. Percentiles are exact, by nearest rank.
struct DurationSpread {
    static constexpr int PerOctave = 4;

    std::uint64_t count = 0;
    Duration total{}; ///< Stays at Duration::max() where there is more.
    Duration least{};
    Duration median{}; ///< Of an even number: the lower of the two in the middle.
    Duration p90{};
    Duration p99{}; ///< The shortest that 99 % are not longer than.
    Duration p999{}; ///< That 99.9 % are not longer than.
    Duration most{};
    std::vector<std::uint32_t> byLength; ///< Those that lasted 2^(i / PerOctave) ns or more, and less than the next; the first also: less.

    static std::size_t bucketOf(Duration duration);
    static Duration bucketBegin(std::size_t bucket);
};

/// Of lengths in ns. Cost: of sorting them.
DurationSpread spreadOf(std::vector<std::int64_t> lengths);

/// The shortest that at least so many percent of the lengths are not longer than (nearest rank). Puts them in another order.
/// Requires: at least one length; 1 to 100 percent. Cost: about 10 ns a length.
Duration nearestRank(std::span<std::int64_t> lengths, std::size_t percent);

/// Stays at Duration::max() where there is more: times of clocks may be saturated, and too far from each other. What ends before it begins
/// has a length below 0.
Duration lengthOf(TimeRange range);

} // namespace helio
