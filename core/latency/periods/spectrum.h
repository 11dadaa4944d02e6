#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace helio::periods {

/// Returns the resolution of the clock in ns: the greatest common divisor of the differences between the values, which are sorted. Returns
/// 1 if the values occupy so many of the clock's steps that the step may be a period of the values.
std::uint64_t stepOf(std::span<const std::int64_t> values);

/// Spectrum of times or durations: power by frequency. Frequencies are in repeats: the number of periods between the first and the last
/// value. The weight of a burst is the square root of its number of values, so that no burst hides the other values.
/// Threads: used by one thread.
/// Cost: 40 ms and 12 MB for many values; less for fewer than 8,000.
class Spectrum {
public:
    /// Requires: `values` are in ns and sorted, and at least two of them differ. `step` is the result of stepOf() for these values or a
    /// superset.
    Spectrum(std::span<const std::int64_t> values, std::uint64_t step);

    /// Length in ns of the range in which all values lie. A frequency of n repeats has the period span() / n.
    double span() const { return m_width * double(m_grid.size()); }
    double mostRepeats() const { return m_mostRepeats; } ///< Highest frequency that is searched for, in repeats over span().

    /// Returns at most `most` local maxima of the power at frequencies of `least` or more, ordered by how far they exceed neighbouring
    /// frequencies.
    std::vector<double> peaks(double least, std::size_t most) const;

    /// Returns the powers of `values` at the frequency `repeats` and its multiples, computed from the values instead of the grid. If the
    /// grid shows the alias of a higher frequency, this power is lower than the power on the grid. Values without a period have a power of
    /// about 1. Requires: `values` are those of the constructor.
    /// Cost: 50 ns per value.
    std::vector<double> powersOfValues(std::span<const std::int64_t> values, double repeats, std::size_t multiples) const;

    /// Returns the frequency, at most half a grid step from `repeats`, with the highest sum of powers at the frequency and its multiples.
    double refined(double repeats, std::size_t harmonics) const;

    /// Returns the logarithm of the probability that noise, as strong as at the neighbouring frequencies, reaches the power at `repeats`; 0
    /// if there are too few neighbours for an estimate.
    double logChanceAt(double repeats) const;
    /// Returns a fast estimate of logChanceAt() at a multiple of a known peak. The estimate uses the highest power near the multiple, so it
    /// is usually lower than logChanceAt(). The caller can therefore drop peaks with a high estimate, and must check all other peaks with
    /// logChanceAt().
    /// Cost: constant, while logChanceAt() reads the whole grid.
    double roughLogChanceAt(double peak, std::size_t multiple) const;

private:
    void fill(std::span<const std::int64_t> values, double step);
    void transform();
    double power(double repeats) const; ///< Returns the power of the values at exactly the frequency `repeats`.
    double logChanceOf(double power, double repeats) const;
    double logChance(double power, double from, double step) const;

    std::vector<double> m_grid; ///< Weight of the values in each cell of the grid, minus the mean.
    double m_width = 1; ///< Width of a cell of m_grid in ns.
    double m_noise = 1; ///< Minimum power of noise, in the unit of m_powers.
    double m_mostRepeats = 0;
    std::vector<double> m_powers; ///< Power by frequency: element i is the power at i / 4 periods per span().
};

} // namespace helio::periods
