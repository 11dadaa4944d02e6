#pragma once

#include "core/query/rows/duration_distribution.h"

#include <cstdint>
#include <string>

namespace helio {

/// Returns the significance z of a difference of two counts: the number of standard deviations between the count `b` and its expectation,
/// given the sum `a` + `b`. Samples are assumed to be random (Poisson); without a change, each sample belongs to B with the probability
/// `share`. This is the conditional test of two Poisson rates. Positive if B has more.
///
/// With SurelyNormal samples or more, z = (b - n p) / sqrt(n p (1 - p)) with n = a + b and p = share. The variance is the one under "no
/// change", as in a score test. With fewer samples, or if fewer than 5 are expected on either side, the two-sided exact binomial test is
/// used, over all outcomes that are not more likely than the observed one (like binom.test in R); z is then the number of standard
/// deviations beyond which a normal distribution has the same probability.
/// Cost: 20 ns; a few µs if exact.
double significance(double a, double b, double share);

/// Minimum number of samples for which the normal distribution is used.
constexpr double SurelyNormal = 30;

/// Result of a rank test (Mann and Whitney), which tells whether durations are longer in B than in A. The test uses only the order of the
/// durations: outliers have no extra weight, and no distribution is assumed. Durations in the same bucket of the histograms, whose bounds
/// differ by a fifth, count as equal.
struct RankTest {
    std::uint64_t a = 0; ///< Number of durations on side A.
    std::uint64_t b = 0;
    /// Share of all pairs (one duration of A, one of B) in which the duration of B is longer. Pairs of equal durations count half.
    double share = 0.5;
    /// Distance of `share` from 1/2 in standard deviations, corrected for equal durations. Positive if durations in B are longer.
    double z = 0;
    /// Probability that `share` is at least this far from 1/2, in either direction, if both sides are alike and durations are independent.
    double chance = 1;
};

/// Tests the durations of A against those of B. Either distribution may be empty.
/// Cost: a few µs.
RankTest rankTest(const DurationDistribution& a, const DurationDistribution& b);

/// Returns the result as text: "A duration in B exceeds one in A in 63 % of all pairs, where durations within a fifth of each other count
/// half (Mann-Whitney rank test: z = 3.6, n = 120 and 140; expected by chance in 1 of 3142)." Empty if a side has fewer than 8 durations,
/// which are too few for a result.
std::string rankTestText(const RankTest& test);

} // namespace helio
