#include "core/latency/periods/spectrum.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>
#include <utility>

namespace helio::periods {
namespace {

constexpr std::size_t LeastParts = 1024;
constexpr std::size_t MostParts = 1 << 17;
constexpr std::size_t PartsPerValue = 16;
/// Limit of the searched frequencies: at most this number of periods per value. With 4 periods per value, an event is still found if only
/// every fourth of its occurrences is among the values.
constexpr double RepeatsPerValue = 4;
/// Shortest period that is searched for, in ns. Shorter periods are artefacts of the clock's resolution.
constexpr double ShortestPeriod = 1000;
/// Number of frequencies at which the power is computed between two whole frequencies, for example between 7 and 8 periods over the span of
/// the values. A peak between two whole frequencies would be missed otherwise.
constexpr std::size_t Oversampling = 4;
constexpr double Gap = 2; ///< Powers at most this far from a frequency belong to the same peak; in periods over the span of the values.
/// Number of frequencies, one repeat apart, on each side of a tested frequency. The median of their powers is the estimate of the noise.
constexpr int Neighbours = 40;
constexpr int LeastNeighbours = 3;
/// Power, without unit, that a value contributes if no other value lies in its grid cell: the square of rooted(1).
constexpr double SparsePower = 1.26;

std::uint64_t distance(std::int64_t from, std::int64_t to) { return static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from); }

/// Returns a pseudo-random number, uniform in [0, 1) and constant for the same `number`.
double evenly(std::uint64_t number)
{
    number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9ULL;
    number = (number ^ (number >> 27)) * 0x94d049bb133111ebULL;
    return double((number ^ (number >> 31)) >> 11) * 0x1p-53;
}

/// Returns a square root of the count that has the same variance for small and large counts (a variance-stabilizing transform).
double rooted(double count) { return 2 * (std::sqrt(count + 0.375) - std::sqrt(0.375)); }

/// Reorders the values for the Fourier transform: each value moves to the bit-reversed index.
void reorder(std::vector<std::complex<double>>& values)
{
    for (std::size_t i = 1, j = 0; i < values.size(); ++i) {
        std::size_t bit = values.size() >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j)
            std::swap(values[i], values[j]);
    }
}

/// Returns the roots of unity of order `size`, only the first half of them.
std::vector<std::complex<double>> rootsOf(std::size_t size)
{
    std::vector<std::complex<double>> roots(size / 2);
    for (std::size_t i = 0; i < roots.size(); ++i)
        roots[i] = std::polar(1.0, -2 * std::numbers::pi * double(i) / double(size));
    return roots;
}

/// Returns a * b without the checks of operator* for infinities. Requires: all values are finite.
std::complex<double> product(std::complex<double> a, std::complex<double> b)
{
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// Replaces equidistant values by their discrete Fourier transform. Requires: the number of values is a power of two.
/// Cost: 40 ms for half a million values.
void fourier(std::vector<std::complex<double>>& values)
{
    reorder(values);
    const auto roots = rootsOf(values.size());
    for (std::size_t half = 1; half < values.size(); half *= 2)
        for (std::size_t begin = 0; begin < values.size(); begin += 2 * half)
            for (std::size_t i = 0; i < half; ++i) {
                const auto even = values[begin + i];
                const auto odd = product(values[begin + half + i], roots[i * (values.size() / (2 * half))]);
                values[begin + i] = even + odd;
                values[begin + half + i] = even - odd;
            }
}

} // namespace

std::uint64_t stepOf(std::span<const std::int64_t> values)
{
    std::uint64_t step = 0;
    for (const std::int64_t value : values)
        if (step = std::gcd(step, distance(values.front(), value)); step == 1)
            break;
    const double steps = step > 0 ? double(distance(values.front(), values.back())) / double(step) : 0;
    return steps > 2 * RepeatsPerValue * double(values.size()) ? step : 1;
}

Spectrum::Spectrum(std::span<const std::int64_t> values, std::uint64_t step)
{
    fill(values, double(step));
    transform();
}

/// Fills the grid. Each value is shifted by a pseudo-random part of the clock's step, because the steps of the clock and of the grid would
/// interfere.
void Spectrum::fill(std::span<const std::int64_t> values, double step)
{
    m_grid.resize(std::clamp(std::bit_ceil(PartsPerValue * values.size()), LeastParts, MostParts));
    m_width = (double(distance(values.front(), values.back())) + step) / double(m_grid.size());
    // Limits the frequency, so that a period is at least 4 clock steps long. Otherwise, the clock's steps would be found as a period.
    const double finest = span() / std::max(ShortestPeriod, 4 * step);
    m_mostRepeats = std::min({double(m_grid.size()) / 4, RepeatsPerValue * double(values.size()), finest});
    std::uint64_t number = 0;
    for (const std::int64_t value : values) {
        const double at = double(distance(values.front(), value)) + step * evenly(++number * 0x9e3779b97f4a7c15ULL);
        m_grid[std::min(m_grid.size() - 1, std::size_t(at / m_width))] += 1;
    }
    m_noise = SparsePower * double(std::ranges::count_if(m_grid, [](double count) { return count > 0; }));
    std::ranges::transform(m_grid, m_grid.begin(), rooted);
    const double mean = std::reduce(m_grid.begin(), m_grid.end()) / double(m_grid.size());
    for (double& it : m_grid)
        it -= mean;
}

void Spectrum::transform()
{
    std::vector<std::complex<double>> all(m_grid.size() * Oversampling);
    std::ranges::copy(m_grid, all.begin());
    fourier(all);
    m_powers.resize(all.size() / 2);
    std::ranges::transform(all.begin(), all.begin() + std::ptrdiff_t(m_powers.size()), m_powers.begin(),
                           [](std::complex<double> it) { return std::norm(it); });
}

std::vector<double> Spectrum::powersOfValues(std::span<const std::int64_t> values, double repeats, std::size_t multiples) const
{
    const auto partOf = [&](std::int64_t value) { return std::size_t(double(distance(values.front(), value)) / m_width); };
    std::vector<std::complex<double>> sums(multiples);
    double all = 0;
    for (auto begin = values.begin(); begin != values.end();) {
        const auto end = std::find_if(begin, values.end(), [&, part = partOf(*begin)](std::int64_t it) { return partOf(it) != part; });
        // A cell of m_grid with n values weighs rooted(n). Each of its values gets an equal part of this weight.
        const double weight = rooted(double(end - begin)) / double(end - begin);
        all += weight * weight * double(end - begin);
        for (; begin != end; ++begin) {
            const double turns = double(distance(values.front(), *begin)) / span() * repeats;
            const std::complex<double> turn = std::polar(1.0, 2 * std::numbers::pi * (turns - std::floor(turns)));
            std::complex<double> at = weight;
            for (std::complex<double>& it : sums)
                it += at *= turn;
        }
    }
    std::vector<double> powers(multiples);
    std::ranges::transform(sums, powers.begin(), [all](std::complex<double> it) { return std::norm(it) / all; });
    return powers;
}

std::vector<double> Spectrum::peaks(double least, std::size_t most) const
{
    constexpr std::size_t Around = Neighbours * Oversampling;
    std::vector<double> sums(m_powers.size() + 1);
    std::inclusive_scan(m_powers.begin(), m_powers.end(), sums.begin() + 1);
    std::vector<std::pair<double, double>> found; // Peaks: power relative to the mean of the neighbouring powers, and frequency.
    const auto end = std::min(std::size_t(m_mostRepeats * Oversampling), m_powers.size() - 1);
    for (auto i = std::max<std::size_t>(1, std::size_t(least * Oversampling)); i < end; ++i) {
        if (m_powers[i] < m_powers[i - 1] || m_powers[i] < m_powers[i + 1] || m_powers[i] < m_noise)
            continue;
        const std::size_t low = i > Around + Oversampling ? i - Around : Oversampling;
        const std::size_t high = std::min(m_powers.size(), i + Around);
        found.emplace_back(m_powers[i] / std::max(m_noise, (sums[high] - sums[low]) / double(high - low)), double(i) / Oversampling);
    }
    const std::size_t count = std::min(most, found.size());
    std::ranges::partial_sort(found, found.begin() + std::ptrdiff_t(count), std::greater());
    std::vector<double> peaks(count);
    std::ranges::transform(found.begin(), found.begin() + std::ptrdiff_t(count), peaks.begin(), &std::pair<double, double>::second);
    return peaks;
}

double Spectrum::power(double repeats) const
{
    // Number of grid cells after which `at` is computed anew. For all other cells, `at` is computed by multiplying the previous
    // `at` by a constant, and the rounding errors of so few products are negligible.
    constexpr std::size_t Run = 512;
    const double angle = -2 * std::numbers::pi * repeats / double(m_grid.size());
    const std::complex<double> turn = std::polar(1.0, angle);
    double real = 0, imaginary = 0;
    for (std::size_t begin = 0; begin < m_grid.size(); begin += Run) {
        std::complex<double> at = std::polar(1.0, std::fmod(angle * double(begin), 2 * std::numbers::pi));
        for (std::size_t i = begin; i < std::min(begin + Run, m_grid.size()); ++i) {
            real += m_grid[i] * at.real();
            imaginary += m_grid[i] * at.imag();
            at = {at.real() * turn.real() - at.imag() * turn.imag(), at.real() * turn.imag() + at.imag() * turn.real()};
        }
    }
    return real * real + imaginary * imaginary;
}

double Spectrum::roughLogChanceAt(double repeats, std::size_t multiple) const
{
    const auto reach = std::ptrdiff_t(multiple + 1) / 2;
    const auto middle = std::ptrdiff_t(repeats * double(multiple) * Oversampling + 0.5);
    if (middle + reach >= std::ptrdiff_t(m_powers.size()))
        return 0;
    const double most = *std::max_element(m_powers.begin() + middle - reach, m_powers.begin() + middle + reach + 1);
    return logChanceOf(most, repeats * double(multiple));
}

double Spectrum::refined(double repeats, std::size_t harmonics) const
{
    const auto sum = [&](double at) {
        double all = 0;
        for (std::size_t i = 1; i <= harmonics && double(i) * at < double(m_grid.size()) / 2; ++i)
            all += power(double(i) * at);
        return all;
    };
    double best = repeats;
    double most = sum(repeats);
    for (double step = 0.25 / double(harmonics); step > 1e-4; step /= 2)
        for (const double at : {best - step, best + step})
            if (const double here = sum(at); here > most) {
                most = here;
                best = at;
            }
    return best;
}

/// Returns the natural logarithm of the probability that noise alone reaches `power`; 0 if there are too few powers to estimate the noise.
/// The estimate is the median of up to Neighbours powers: at the frequency `from`, at `from` + `step`, and so on, all on one side of the
/// tested frequency. The median hardly changes if some of these frequencies belong to other periods.
double Spectrum::logChance(double power, double from, double step) const
{
    std::array<double, Neighbours> there{};
    int count = 0;
    const double end = double(m_powers.size()) / Oversampling;
    for (double at = from; count < Neighbours && at >= Gap && at < end; at += step)
        there[std::size_t(count++)] = m_powers[std::size_t(at * Oversampling)];
    if (count < LeastNeighbours)
        return 0;
    std::nth_element(there.begin(), there.begin() + count / 2, there.begin() + count);
    const double noise = std::max(m_noise, there[std::size_t(count / 2)] / std::numbers::ln2);
    // The noise is only an estimate: the median of `count` powers is as precise as the mean of `known` powers. The smaller `known` is, the
    // more likely noise reaches `power`.
    const double known = count * std::numbers::ln2 * std::numbers::ln2;
    return -known * std::log1p(power / (known * noise));
}

double Spectrum::logChanceAt(double repeats) const
{
    if (repeats > double(m_grid.size()) / 2 - Gap - LeastNeighbours)
        return 0;
    return logChanceOf(power(repeats), repeats);
}

double Spectrum::logChanceOf(double there, double repeats) const
{
    return std::max(logChance(there, repeats - Gap, -1), logChance(there, repeats + Gap, 1));
}

} // namespace helio::periods
