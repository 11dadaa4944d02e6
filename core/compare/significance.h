#pragma once

#include "core/query/rows/duration_distribution.h"

#include <cstdint>
#include <string>

namespace helio {

/// Returns how many standard deviations a count `b` is from its expectation, given `a` + `b`: each of the samples, which come at random
/// (Poisson), falls to B with the probability `share`. This is the conditional test of two Poisson rates. Positive if B has more.
///
/// From SurelyNormal samples on it is (b - n p) / sqrt(n p (1 - p)) with n = a + b, p = share; the variance is that of "no change", as in a
/// score test. With fewer samples, or if fewer than 5 are expected on either side, it is the two-sided exact binomial test (over all
/// outcomes not more likely than this one; R's binom.test), given as the standard deviations beyond which a normal distribution has the
/// same probability.
/// Cost: 20 ns; a few µs if exact.
double significance(double a, double b, double share);

/// Number of samples from which on the normal distribution is used.
constexpr double SurelyNormal = 30;

/// Tells whether durations in B are longer than durations in A, by their ranks alone (Mann and Whitney): no outlier has more weight than
/// any other duration, and no distribution is assumed. Durations in the same bucket of the histograms, which is a fifth wide, count as
/// equal.
struct RankTest {
    std::uint64_t a = 0; ///< Number of durations in A.
    std::uint64_t b = 0;
    /// Share of the pairs of a duration in A and a duration in B in which the latter is longer. Pairs of equal durations count half.
    double share = 0.5;
    double z = 0; ///< Distance of `share` from one half in standard deviations, corrected for equal durations; positive if B is longer.
    /// Probability of at least this distance, in either direction, if both sides are alike and durations are independent.
    double chance = 1;
};

/// Tests the durations of A and of B; either may be empty.
/// Cost: a few µs.
RankTest rankTest(const DurationDistribution& a, const DurationDistribution& b);

/// Returns the result in words: "One of B is longer than one of A in 63 % of all pairs, where lengths within a fifth of each other count
/// half (Mann-Whitney: z = 3.6 of 120 and 140; if both were alike it would be so in 1 of 3142)." Empty if a side has fewer than 8
/// durations: nothing can be said about so few.
std::string rankTestText(const RankTest& test);

} // namespace helio
