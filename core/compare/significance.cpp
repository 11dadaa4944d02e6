#include "core/compare/significance.h"

#include <algorithm>
#include <cmath>

namespace helio {
namespace {

constexpr double MostDeviations = 38; ///< Standard deviations: beyond, doubles have no chance left.
constexpr double LeastExpected = 5;

/// The z that leaves the chance on both its sides together, by halving.
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

/// ln of the chance that k of n fall to a side that each does with the chance p.
double logChance(double k, double n, double p)
{
    constexpr double Uncountable =
        1e9; // Beyond, the difference of such gamma functions has no digits left, and Poisson's limit is as exact.
    if (n > Uncountable)
        return k * std::log(n * p) - n * p - std::lgamma(k + 1);
    return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) + k * std::log(p) + (n - k) * std::log1p(-p);
}

/// The chance of all outcomes that are not more likely than `unlikely`, from one on, away from the middle.
double tail(double from, int step, double n, double p, double unlikely)
{
    constexpr double Nothing = -745; // ln of the least double.
    double sum = 0;
    for (double k = from; k >= 0 && k <= n; k += step) {
        const double log = logChance(k, n, p);
        if (log < Nothing)
            break;
        sum += log <= unlikely ? std::exp(log) : 0;
    }
    return sum;
}

/// Requires: p is not above 1/2, and small where n is large, so that the outcomes that have a chance at all are few.
double exactChance(double k, double n, double p)
{
    constexpr double Alike = 1e-7; // Rounding must not part outcomes of one chance.
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
    const double whole = std::max(1.0, std::round(n)); // Weights that differ make counts that are not whole.
    const bool isRare = share <= 0.5;
    const double rare = std::clamp(std::round(isRare ? b : a), 0.0, whole);
    const double z = deviationsOf(exactChance(rare, whole, isRare ? share : 1 - share));
    return over < 0 ? -z : z;
}

} // namespace helio
