#pragma once

#include "core/query/rows/duration_spread.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// How long things of one name lasted.
struct NamedLengths {
    std::string name;
    DurationSpread lengths;
    Timestamp leastAt{}; ///< Where the first of the shortest began.
    Timestamp mostAt{}; ///< Where the first of the longest began.
};

/// Takes things with a name and a length, one by one, in any order, and sums them up by name. One thread. Memory: 8 bytes for each thing,
/// since percentiles are exact, and some 200 for each name.
class LengthsByName {
public:
    void add(std::string_view name, TimeRange range);

    /// The most time first, then by name. They are handed over: none is left.
    std::vector<NamedLengths> take();

private:
    struct Sum {
        std::vector<std::int64_t> lengths; ///< Ns.
        TimeRange least;
        TimeRange most;
    };
    std::map<std::string, Sum, std::less<>> m_sums;
};

/// So many lengths of [from, to).
struct LengthBucket {
    Duration from{};
    Duration to{};
    std::uint64_t count = 0;
    bool operator==(const LengthBucket&) const = default;
};

/// Parts the lengths (in ns, not negative) from the shortest to the longest into at most so many buckets that touch: of equal widths, or of
/// equal ratios, where lengths of 0 have one of their own before the others. Requires: 1 or more.
std::vector<LengthBucket> bucketsOf(std::vector<std::int64_t> lengths, std::size_t most, bool isLogarithmic);

} // namespace helio
