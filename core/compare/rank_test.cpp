#include "core/compare/rank_test.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>

namespace helio {
namespace {

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

/// Returns "in 1 of 4000", or "in less than 1 of 1000000".
std::string chanceWords(double chance)
{
    if (chance > 0.1)
        return "in " + printed("%.0f", 100 * chance) + " % of all cases";
    return chance >= 1e-6 ? "in 1 of " + printed("%.0f", std::floor(1 / chance)) : "in less than 1 of 1000000";
}

} // namespace

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
    return "One of B is longer than one of A in " + printed("%.0f", 100 * test.share)
        + " % of all pairs, where lengths within a fifth of each other count half (Mann-Whitney: z = " + printed("%.1f", test.z) + " of "
        + std::to_string(test.a) + " and " + std::to_string(test.b) + "; if both were alike it would be so " + chanceWords(test.chance)
        + ").";
}

} // namespace helio
