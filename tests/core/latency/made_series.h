#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

/// Generators of time and duration series with and without periods; equal seeds give equal series.
namespace helio::series {

using Values = std::vector<std::int64_t>;
constexpr std::int64_t Begin = 1'795'355'782'654'799'646;

class Source {
public:
    explicit Source(std::uint64_t seed)
        : m_bits(seed)
    {
    }

    double evenly() { return double(m_bits() >> 11) * 0x1p-53; }
    double exponential() { return -std::log1p(-evenly()); }
    double normal() { return std::sqrt(2 * exponential()) * std::cos(6.283185307179586 * evenly()); }
    /// Draws from a gamma distribution with an integer or half-integer shape.
    double gamma(double shape)
    {
        double sum = 0;
        for (; shape >= 1; --shape)
            sum += exponential();
        const double half = normal();
        return shape > 0 ? sum + half * half / 2 : sum;
    }
    int below(int limit) { return int(m_bits() % std::uint64_t(limit)); }

private:
    std::mt19937_64 m_bits;
};

struct Regular {
    int count = 100;
    double period = 1e6;
    double jitter = 0; ///< Standard deviation of the times as a fraction of the period.
    double presentFraction = 1; ///< Probability that the series contains a value at each multiple of the period.
    double noisePerTime = 0; ///< Number of random times that are added for each regular time.
};

inline Values made(const Regular& it, Source& dice, double phase = 0)
{
    Values values;
    for (int i = 0; i < it.count; ++i)
        if (dice.evenly() < it.presentFraction)
            values.push_back(Begin + std::int64_t(phase + it.period * (i + it.jitter * dice.normal())));
    const auto others = std::size_t(it.noisePerTime * double(values.size()));
    for (std::size_t i = 0; i < others; ++i)
        values.push_back(Begin + std::int64_t(it.period * it.count * dice.evenly()));
    std::shuffle(values.begin(), values.end(), std::mt19937(1));
    return values;
}

/// Makes a series of `count` points in time, with random gaps between them.
inline Values afterGaps(int count, const std::function<double()>& gap)
{
    Values values;
    double at = 0;
    for (int i = 0; i < count; ++i)
        values.push_back(Begin + std::int64_t(at += gap()));
    return values;
}

inline Values each(int count, const std::function<double()>& value)
{
    Values values;
    for (int i = 0; i < count; ++i)
        values.push_back(std::int64_t(value()));
    return values;
}

inline Values clustered(int count, int clusters, double width, Source& dice)
{
    std::vector<double> middles;
    for (int i = 0; i < clusters; ++i)
        middles.push_back(1e9 * dice.evenly());
    return each(count, [&] { return middles[std::size_t(dice.below(clusters))] + width * dice.normal(); });
}

inline Values walked(int count, Source& dice)
{
    double at = 1e6;
    return each(count, [&] { return std::abs(at += 1e4 * dice.normal()); });
}

/// Makes a series without any period; `kind` selects its distribution.
inline Values irregular(int kind, int count, Source& dice)
{
    const auto gap = [&](auto length) { return afterGaps(count, [&dice, length]() mutable { return 1e6 * length(dice); }); };
    const auto lengths = [&](auto length) { return each(count, [&dice, length]() mutable { return 1e6 * length(dice); }); };
    switch (kind) {
    case 0: return gap([](Source& d) { return d.exponential(); });
    case 1: return gap([](Source& d) { return d.gamma(0.5); });
    case 2: return gap([](Source& d) { return d.gamma(3); });
    case 3: return gap([](Source& d) { return 0.5 + d.evenly(); });
    case 4: return gap([](Source& d) { return std::exp(1.5 * d.normal()); });
    case 5: return lengths([](Source& d) { return std::exp(d.normal()); });
    case 6: return lengths([](Source& d) { return 10 + d.normal(); });
    case 7: return lengths([](Source& d) { return 1 + d.evenly(); });
    case 8: return lengths([](Source& d) { return d.evenly() < 0.7 ? d.exponential() : 20 + 2 * d.normal(); });
    case 9: return lengths([](Source& d) { return std::pow(1 - d.evenly(), -0.8); });
    case 10: return walked(count, dice);
    case 11: return clustered(count, 3, 1e3, dice);
    case 12: return clustered(count, 6, 1e6, dice);
    case 13: return clustered(count, std::max(1, count / 5), 1e4, dice);
    case 14: return each(count, [&] { return 1000 * std::floor(1e5 * dice.evenly()); });
    default: return gap([step = 0](Source& d) mutable { return ++step < 30 ? d.exponential() : 0.1 * d.exponential(); });
    }
}
constexpr int IrregularKinds = 16;

} // namespace helio::series
