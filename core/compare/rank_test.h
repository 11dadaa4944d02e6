#pragma once

#include "core/query/rows/duration_spread.h"

#include <cstdint>
#include <string>

namespace helio {

/// Whether lengths of B are longer than those of A, by their ranks alone (Mann and Whitney): no outlier weighs more than another, and no
/// shape is assumed. Lengths in one bucket of the spreads, which is a fifth wide, are alike.
struct RankTest {
    std::uint64_t a = 0; ///< So many lengths.
    std::uint64_t b = 0;
    double share = 0.5; ///< Of all pairs of one of A and one of B, in how many that of B is longer; half of those alike count.
    double z = 0; ///< How many standard deviations that is from a half, with what is alike allowed for; positive: B is longer.
    double chance = 1; ///< Of so much or more, either way, if both are alike and lengths come independently of each other.
};

/// Of two spreads, of which either may be empty. Cost: some us.
RankTest rankTest(const DurationSpread& a, const DurationSpread& b);

/// "One of B is longer than one of A in 63 % of all pairs, where lengths within a fifth of each
/// other count half (Mann-Whitney: z = 3.6 of 120 and 140; if both were alike it would be so in 1 of
/// 3142)." Empty where there are fewer than 8 on either side: nothing can be said of them.
std::string rankWords(const RankTest& test);

} // namespace helio
