#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <vector>

namespace helio {

constexpr std::size_t LeastToRepeat = 8; ///< Values; in fewer no period is looked for.

/// What values repeat with.
struct FoundPeriod {
    static constexpr double Near = 0.1; ///< Of a period, on each side of its phase.

    double period = 0; ///< Ns.
    double phase = 0; ///< Ns after the first value to where they gather first; at least 0, less than a period.
    double strength = 0; ///< 0: they lie anywhere, 1: all lie exactly there; the length of the mean of their directions on the circle.
    double share = 0; ///< Of them that lie near (Near) phase + n * period. By chance it is about a fifth.
    std::uint64_t count = 0; ///< So many values were looked at.
    std::int64_t first = 0; ///< The first and the last of them.
    std::int64_t last = 0;
    double logChance = 0; ///< The natural logarithm of `chance`, which may be too small for a number.
    double chance() const; ///< That values without any period show one as strong anywhere, or more. At most 1.
};

/// Whether they are the same, or the longer one is up to 31 times the other, as exactly as the shorter of their stretches can tell: two
/// that are apart by more than one and a half repeats in it, and by more than 0.2 %, are not.
bool areOfOne(const FoundPeriod& a, const FoundPeriod& b);

/// What times or lengths (in ns, in any order) repeat with, the least chance first, at most so many. A multiple of a period that was found,
/// or a part of it, is not found again. Those with a chance of 1 in 10,000 or more are left out; `series`: so many times the same question
/// is asked of other values, which makes every one of these less likely to mean anything.
///
/// Looked for are periods that fit between the values 6 times or more, and of which a quarter of the instances is there, down to 1/32,768
/// of all; in the densest part of the values, a 64th and a 4,096th of all, also shorter ones, but none below 1 us. A period is found where
/// the power of its frequency and its multiples (1, 2, 4 or 8 of these) stands out from that of the frequencies around them, whatever noise
/// is like: an F-test of each against the median of 40 on each side, put together as Fisher did, times the number of frequencies looked at.
/// So values whose density changes slowly or that come in bursts have none. A period that drifts by more than about a hundredth over all is
/// not found. Several periods that are mixed are found each by itself; their common multiple is none, though all of it repeats with that
/// too. Of one and its multiple, which cannot be told from a longer one alone, the longer is found.
///
/// Cost: of sorting the values, and for many of them some 0.2 s and 20 MB beside them, however many they are. Ends early, with nothing,
/// once it is stopped.
std::vector<FoundPeriod> findPeriods(std::vector<std::int64_t> values, std::size_t most, double series = 1, std::stop_token stop = {});

} // namespace helio
