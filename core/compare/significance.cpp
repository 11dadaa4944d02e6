#include "core/compare/significance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>

namespace helio {
namespace {

constexpr double MostDeviations = 38; ///< Maximum number of standard deviations: beyond it, the probability is too small for a double.
constexpr double LeastExpected = 5;

/// Returns the z for which a normally distributed value is below -z or above z with the probability `chance`. Computed by bisection.
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

/// Returns the logarithm of the binomial probability that k of n trials succeed, each with the probability p.
double logChance(double k, double n, double p)
{
    /// Number of trials above which the Poisson distribution replaces the binomial one. For so many trials, the difference of the lgamma()
    /// values has no significant digits left, and the two distributions are practically equal.
    constexpr double PoissonFrom = 1e9;
    if (n > PoissonFrom)
        return k * std::log(n * p) - n * p - std::lgamma(k + 1);
    return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) + k * std::log(p) + (n - k) * std::log1p(-p);
}

/// Returns the sum of the probabilities of k = from, from + step, … successes in n trials that succeed with the probability p each. `step`:
/// 1 or -1, so that k moves away from the most likely number. Adds a number k only if the logarithm of its probability is at most
/// `unlikely`.
double tail(double from, int step, double n, double p, double unlikely)
{
    constexpr double Nothing = -745; // Logarithm of the smallest positive double.
    double sum = 0;
    for (double k = from; k >= 0 && k <= n; k += step) {
        const double log = logChance(k, n, p);
        if (log < Nothing)
            break;
        sum += log <= unlikely ? std::exp(log) : 0;
    }
    return sum;
}

/// Returns the probability that n trials with the success probability p each give a number of successes that is at most as likely as k
/// successes: the two-sided exact binomial test. Requires: p is at most 1/2, and p is small if n is large, because the numbers of successes
/// are tried one by one.
double exactChance(double k, double n, double p)
{
    constexpr double Alike = 1e-7; // Relative tolerance, because rounding must not distinguish outcomes of equal probability.
    const double unlikely = logChance(k, n, p) + Alike;
    const double middle = std::floor(n * p);
    return std::min(1.0, tail(middle, -1, n, p, unlikely) + tail(middle + 1, 1, n, p, unlikely));
}

constexpr std::uint64_t LeastLengths = 8;

std::uint64_t countIn(const DurationDistribution& spread, std::size_t bucket)
{
    return bucket < spread.byLength.size() ? spread.byLength[bucket] : 0;
}

std::string printed(const char* format, double value)
{
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), format, value);
    return text.data();
}

/// Returns a chance as text: "in 25 % of cases", "in 1 of 4000" or "in less than 1 of 1000000".
std::string chanceWords(double chance)
{
    if (chance > 0.1)
        return "in " + printed("%.0f", 100 * chance) + " % of cases";
    return chance >= 1e-6 ? "in 1 of " + printed("%.0f", std::floor(1 / chance)) : "in less than 1 of 1000000";
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
    const double whole = std::max(1.0, std::round(n)); // Round the count: with samples of different weights, it is not an integer.
    const bool isRare = share <= 0.5;
    const double rare = std::clamp(std::round(isRare ? b : a), 0.0, whole);
    const double z = deviationsOf(exactChance(rare, whole, isRare ? share : 1 - share));
    return over < 0 ? -z : z;
}

RankTest rankTest(const DurationDistribution& a, const DurationDistribution& b)
{
    RankTest test;
    double longer = 0, ties = 0, shorterInA = 0;
    for (std::size_t i = 0; i < std::max(a.byLength.size(), b.byLength.size()); ++i) {
        const auto inA = double(countIn(a, i));
        const auto inB = double(countIn(b, i));
        longer += inB * (shorterInA + inA / 2);
        shorterInA += inA;
        const double alike = inA + inB;
        ties += alike * alike * alike - alike;
        test.a += countIn(a, i);
        test.b += countIn(b, i);
    }
    const auto ofA = double(test.a), ofB = double(test.b), all = ofA + ofB;
    if (test.a == 0 || test.b == 0)
        return test;
    test.share = longer / (ofA * ofB);
    const double variance = ofA * ofB / 12 * (all + 1 - (all > 1 ? ties / (all * (all - 1)) : 0));
    test.z = variance > 0 ? (longer - ofA * ofB / 2) / std::sqrt(variance) : 0;
    test.chance = std::erfc(std::abs(test.z) / std::numbers::sqrt2);
    return test;
}

std::string rankTestText(const RankTest& test)
{
    if (test.a < LeastLengths || test.b < LeastLengths)
        return {};
    return "A duration in B exceeds one in A in " + printed("%.0f", 100 * test.share)
        + " % of all pairs, where durations within a fifth of each other count half (Mann-Whitney rank test: z = " + printed("%.1f", test.z)
        + ", n = " + std::to_string(test.a) + " and " + std::to_string(test.b) + "; expected by chance " + chanceWords(test.chance) + ").";
}

} // namespace helio
