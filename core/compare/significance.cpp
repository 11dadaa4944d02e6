#include "core/compare/significance.h"

#include <algorithm>
#include <cmath>

namespace helio {
namespace {

constexpr double MostDeviations = 38; ///< Beyond it, a double cannot represent the probability.
constexpr double LeastExpected = 5;

/// Returns the z with this probability beyond it on both sides together, by bisection.
double deviationsOf(double chance)
{
    double low = 0;
    double high = MostDeviations;
    for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2;
        (std::erfc(middle / std::sqrt(2.0)) > chance ? low : high) = middle;
    }
    return low;
}

/// Returns ln of the probability that k of n fall to a side, if each does with the probability p.
double logChance(double k, double n, double p)
{
    /// Above it, the difference of the gamma functions has no digits left, and the Poisson limit is as exact.
    constexpr double Uncountable = 1e9;
    if (n > Uncountable)
        return k * std::log(n * p) - n * p - std::lgamma(k + 1);
    return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) + k * std::log(p) + (n - k) * std::log1p(-p);
}

/// Returns the probability of all outcomes that are not more likely than `unlikely`, from `from` on, away from the middle.
double tail(double from, int step, double n, double p, double unlikely)
{
    constexpr double Nothing = -745; // ln of the smallest double.
    double sum = 0;
    for (double k = from; k >= 0 && k <= n; k += step) {
        const double log = logChance(k, n, p);
        if (log < Nothing)
            break;
        sum += log <= unlikely ? std::exp(log) : 0;
    }
    return sum;
}

/// Returns the probability of an outcome at most as likely as k, in a binomial distribution of n trials with probability p (two-sided exact
/// test). Requires: p is at most 1/2, and small if n is large, so that only few outcomes have a notable probability.
double exactChance(double k, double n, double p)
{
    constexpr double Alike = 1e-7; // Rounding must not separate outcomes with the same probability.
    const double unlikely = logChance(k, n, p) + Alike;
    const double middle = std::floor(n * p);
    return std::min(1.0, tail(middle, -1, n, p, unlikely) + tail(middle + 1, 1, n, p, unlikely));
}

} // namespace

double significance(double a, double b, double share)
{
    const double n = a + b;
    if (!(n > 0) || !(share > 0) || !(share < 1))
        return 0;
    const double over = b - n * share;
    const bool isNormal = n >= SurelyNormal && n * std::min(share, 1 - share) >= LeastExpected;
    if (isNormal)
        return over / std::sqrt(n * share * (1 - share));
    const double whole = std::max(1.0, std::round(n)); // Samples with different weights make counts that are no integers.
    const bool isRare = share <= 0.5;
    const double rare = std::clamp(std::round(isRare ? b : a), 0.0, whole);
    const double z = deviationsOf(exactChance(rare, whole, isRare ? share : 1 - share));
    return over < 0 ? -z : z;
}

} // namespace helio
