#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <vector>

namespace helio {

constexpr std::size_t MinPeriodicValues = 8; ///< Minimum number of values for a search for periods.

/// A period in a series of values, which are times or durations.
struct FoundPeriod {
    static constexpr double Near = 0.1; ///< Maximum distance from the phase at which a value counts as near, as a fraction of the period.

    double period = 0; ///< Length of the period in ns.
    /// Offset in ns of the first point around which values gather, counted from the first value; from 0 to `period` (exclusive).
    double phase = 0;
    /// Strength of the period, from 0 (values are spread evenly) to 1 (all values are exactly at the phase). Values are mapped to
    /// directions on a circle with the circumference `period`; the strength is the length of the mean of these directions.
    double strength = 0;
    double share = 0; ///< Share of the values that are within Near of phase + n * period; about 1/5 by chance.
    std::uint64_t count = 0; ///< Number of values that were examined.
    std::int64_t first = 0; ///< Smallest value that was examined, in ns.
    std::int64_t last = 0; ///< Largest value that was examined, in ns.
    double logChance = 0; ///< Natural logarithm of chance(), because chance() may be too small for a double.
    double chance() const; ///< Returns the probability, at most 1, that values without any period show a period at least as strong.
};

/// Returns true if the two periods are equal or one is a multiple of the other (up to 31 times), within a tolerance. The number of
/// times that the shorter period repeats may deviate from a multiple by 0.2 %, or by 1.5 repeats (less if the longer period repeats
/// fewer than 6 times), whichever is larger. Repeats are counted over the shorter of the two ranges of values.
bool areHarmonics(const FoundPeriod& a, const FoundPeriod& b);

/// Returns the periods with which values (times or durations in ns, in any order) repeat: at most `most` periods, the least probable by
/// chance first. Multiples and fractions of a period in the result are left out, as are periods with a chance of 1 in 10,000 or more.
/// `series` is the number of similar searches on other values; it raises the chance of each period.
///
/// Search range: a period must fit at least 6 times between the smallest and the largest value, and a quarter of its instances must exist.
/// Periods down to 1/32,768 of the whole range are searched for in all values; shorter periods, but none below 1 us, in the densest 64th
/// and the densest 4,096th of the range.
///
/// Criterion: the power at the period's frequency and its multiples (1, 2, 4 or 8 of them) must exceed the power at neighbouring
/// frequencies, whatever the noise is. The chance is an F-test of each power against the median of 40 neighbours on each side, combined by
/// Fisher's method, times the number of frequencies examined. Values whose density changes slowly, or values in bursts, therefore have no
/// period.
///
/// Limits:
/// - A period that drifts by more than about a hundredth over the range is not found.
/// - Several mixed periods are found one by one; their common multiple is not reported, although all values repeat with it.
/// - A period together with its multiple cannot be distinguished from the longer period alone: the longer period is reported.
///
/// Returns an empty vector if `stop` was requested.
/// Cost: a sort of the values, and for many values about 0.2 s and 20 MB, independent of their number.
std::vector<FoundPeriod> findPeriods(std::vector<std::int64_t> values, std::size_t most, double series = 1, std::stop_token stop = {});

} // namespace helio
