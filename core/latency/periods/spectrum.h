#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace helio::periods {

/// What all distances of sorted values are multiples of: a clock has no finer steps. 1 where so many of its steps have a value that they
/// may be what is looked for.
std::uint64_t stepOf(std::span<const std::int64_t> values);

/// How much of what comes and goes with each frequency is in values: times or lengths. Frequencies are counted in repeats: how many periods
/// fit between the first and the last value. A burst counts with the root of what is in it, so that no single one drowns the others.
///
/// One thread. Cost: 40 ms and 12 MB for many values; less for fewer than 8,000.
class Spectrum {
public:
    /// Requires: two values or more, in ns, sorted, not all alike; `step`: as of them or of more.
    Spectrum(std::span<const std::int64_t> values, std::uint64_t step);

    double span() const { return m_width * double(m_grid.size()); } ///< Ns that one repeat takes as a whole.
    double mostRepeats() const { return m_mostRepeats; } ///< Of a period that is looked for.

    /// Where the power is higher than on both sides, from `least` repeats on: those that stand out the most from what is around them first.
    std::vector<double> peaks(double least, std::size_t most) const;

    /// How much of the values, which are those that it is of, is at so many repeats and at each of its next multiples: less than the grid
    /// has where that takes a faster one for it. Of values that lie anywhere it is about 1. Cost: 50 ns a value.
    std::vector<double> powersOfValues(std::span<const std::int64_t> values, double repeats, std::size_t multiples) const;

    /// Where the power is highest within half a step of `repeats`, of that and its next multiples together.
    double refined(double repeats, std::size_t harmonics) const;

    /// The logarithm of the chance that noise like that around it has so much power at so many repeats, or more. 0: nothing can be said.
    double logChanceAt(double repeats) const;
    /// About the same of a multiple of what is known as a peak; rather too little. Cost: none, where the other goes through everything.
    double roughLogChanceAt(double peak, std::size_t multiple) const;

private:
    void fill(std::span<const std::int64_t> values, double step);
    void transform();
    double power(double repeats) const; ///< Exactly there.
    double logChanceOf(double power, double repeats) const;
    double logChance(double power, double from, double step) const;

    std::vector<double> m_grid; ///< How much is in each of equal parts, less the mean.
    double m_width = 1; ///< Of such a part, ns.
    double m_noise = 1; ///< The least power of noise.
    double m_mostRepeats = 0;
    std::vector<double> m_powers; ///< At every quarter of a repeat.
};

} // namespace helio::periods
