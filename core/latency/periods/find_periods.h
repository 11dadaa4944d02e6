#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <vector>

namespace helio {

constexpr std::size_t MinPeriodicValues = 8; ///< Minimum count of values in which periods are searched for.

/// A period with which values repeat.
struct FoundPeriod {
    static constexpr double Near = 0.1; ///< Width of the neighbourhood on each side of the phase, as a fraction of the period.

    double period = 0; ///< In ns.
    /// Offset in ns from the first value to the first point around which values gather; at least 0 and less than a period.
    double phase = 0;
    double strength = 0; ///< From 0 (values are spread evenly) to 1 (all values are exactly at the phase): length of the mean of their
                         ///< directions on the circle.
    double share = 0; ///< Share of the values within Near of phase + n * period; about a fifth by chance.
    std::uint64_t count = 0; ///< Count of the values examined.
    std::int64_t first = 0; ///< The smallest value examined.
    std::int64_t last = 0; ///< The largest value examined.
    double logChance = 0; ///< Natural logarithm of chance(), which may be too small for a double.
    double chance() const; ///< Returns the probability, at most 1, that values without any period show a period of this strength or more.
};

/// True if two periods are the same, or if the longer one is up to 31 times the shorter one. The precision is that of the shorter range of
/// values: two periods differ if they are apart by more than one and a half repeats in it and by more than 0.2 %.
bool areHarmonics(const FoundPeriod& a, const FoundPeriod& b);

/// Returns the periods with which values in ns (times or durations, in any order) repeat: at most `most`, the least probable by chance
/// first. Multiples and fractions of a period that was found are left out, as are periods with a chance of 1 in 10,000 or more. `series`
/// is the number of similar searches on other values, which raises the chance of each period.
///
/// A period must fit at least 6 times between the values, and a quarter of its instances must exist. Periods are searched for down to
/// 1/32,768 of the whole range. Shorter periods are searched for in the densest 64th and the densest 4,096th of the range, but none below 1
/// us. A period is found if the power of its frequency and its multiples (1, 2, 4 or 8 of them) stands out from the power of neighbouring
/// frequencies, whatever the noise is: an F-test of each against the median of 40 neighbours on each side, combined by Fisher's method,
/// times the number of frequencies examined. Values whose density changes slowly, or values in bursts, therefore have no period.
///
/// Limits: a period that drifts by more than about a hundredth over the range is not found. Several mixed periods are found one by one;
/// their common multiple is not reported, although all values repeat with it. A period together with its multiple cannot be told from the
/// longer period alone: the longer one is reported.
///
/// Returns an empty vector if `stop` was requested.
/// Cost: sorting the values; for many values about 0.2 s and 20 MB in addition, independent of their count.
std::vector<FoundPeriod> findPeriods(std::vector<std::int64_t> values, std::size_t most, double series = 1, std::stop_token stop = {});

} // namespace helio
