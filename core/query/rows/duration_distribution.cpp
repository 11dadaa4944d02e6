#include "core/query/rows/duration_distribution.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace helio {
namespace {

/// Index of the last bucket, which contains the longest possible durations (from 2^62 ns).
constexpr std::size_t LastBucket = 62 * DurationDistribution::PerOctave;

/// Returns the start of each bucket, in ns.
const std::array<std::int64_t, LastBucket + 1>& begins()
{
    static const auto all = [] {
        std::array<std::int64_t, LastBucket + 1> begins{};
        for (std::size_t i = 0; i < begins.size(); ++i)
            begins[i] = static_cast<std::int64_t>(std::ceil(std::exp2(double(i) / DurationDistribution::PerOctave)));
        return begins;
    }();
    return all;
}

/// Returns the index of a percentile among `count` sorted lengths. `tenths` is the percentile in tenths of a percent.
std::size_t placeOf(std::size_t tenths, std::size_t count) { return std::max<std::size_t>((count * tenths + 999) / 1000, 1) - 1; }

} // namespace

std::size_t DurationDistribution::bucketOf(Duration duration)
{
    if (duration.count() <= 1)
        return 0;
    const auto octave = static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(duration.count())) - 1);
    // Index of the first bucket for durations in the same octave as `duration`. An octave contains the durations from 2^n to 2^(n+1) ns.
    std::size_t bucket = std::min(LastBucket, octave * PerOctave);
    while (bucket < LastBucket && begins()[bucket + 1] <= duration.count())
        ++bucket;
    return bucket;
}

Duration DurationDistribution::bucketBegin(std::size_t bucket) { return Duration(begins()[std::min(bucket, LastBucket)]); }

DurationDistribution summarizeDurations(std::vector<std::int64_t> lengths)
{
    DurationDistribution spread;
    if (lengths.empty())
        return spread;
    const auto [least, most] = std::ranges::minmax(lengths);
    spread.count = lengths.size();
    spread.least = Duration(least);
    spread.most = Duration(most);
    spread.byLength.resize(DurationDistribution::bucketOf(spread.most) + 1);
    for (const std::int64_t length : lengths) {
        spread.total = sumOf(spread.total, Duration(length));
        ++spread.byLength[DurationDistribution::bucketOf(Duration(length))];
    }
    // Start of the lengths that are not sorted into place yet. Percentiles are computed in ascending order, and nth_element() puts the
    // longer lengths after each percentile. Therefore the next percentile lies at `known` or later.
    auto known = lengths.begin();
    const auto rank = [&](std::size_t tenths) {
        const auto at = lengths.begin() + static_cast<std::ptrdiff_t>(placeOf(tenths, lengths.size()));
        std::nth_element(known, at, lengths.end());
        known = at;
        return Duration(*at);
    };
    spread.median = rank(500);
    spread.p90 = rank(900);
    spread.p99 = rank(990);
    spread.p999 = rank(999);
    return spread;
}

Duration nearestRank(std::span<std::int64_t> lengths, std::size_t percent)
{
    const auto at = lengths.begin() + static_cast<std::ptrdiff_t>(placeOf(percent * 10, lengths.size()));
    std::nth_element(lengths.begin(), at, lengths.end());
    return Duration(*at);
}

Duration lengthOf(TimeRange range)
{
    std::int64_t length = 0;
    if (__builtin_sub_overflow(nanoseconds(range.end), nanoseconds(range.begin), &length))
        return range.end < range.begin ? Duration::min() : Duration::max();
    return Duration(length);
}

} // namespace helio
