#pragma once

namespace helio {

/// How many standard deviations a count of `b` is from what `a` and `b` together let one expect, if each of the samples, which come at
/// random (Poisson), falls to B with the chance `share`: the conditional test of two Poisson rates. Positive: B has more.
///
/// From SurelyNormal samples on: (b - n p) / sqrt(n p (1 - p)) with n = a + b, p = share: the variance is that of "no change", as in a
/// score test. Of fewer, or where either side expects less than 5, the two-sided exact binomial test (all outcomes that are no more likely
/// than this one; R's binom.test), given as the standard deviations that a normal distribution leaves the same chance beyond. Cost: 20 ns;
/// some us where exact.
double significance(double a, double b, double share);

constexpr double SurelyNormal = 30;

} // namespace helio
