#pragma once

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

} // namespace helio
