#include "core/query/rows/duration_spread.h"

#include <algorithm>
#include <cmath>

namespace helio {
namespace {

constexpr std::size_t LastBucket = 62 * DurationSpread::PerOctave; ///< Durations end within it.

/// The place of a percentile among so many sorted lengths.
std::size_t placeOf(std::size_t percent, std::size_t count) { return std::max<std::size_t>((count * percent + 99) / 100, 1) - 1; }

} // namespace

std::size_t DurationSpread::bucketOf(Duration duration)
{
    if (duration.count() <= 1)
        return 0;
    auto bucket = std::min(LastBucket, static_cast<std::size_t>(std::log2(double(duration.count())) * PerOctave));
    while (bucket < LastBucket && bucketBegin(bucket + 1) <= duration) // Rounding must not part what bucketBegin() says.
        ++bucket;
    while (bucket > 0 && bucketBegin(bucket) > duration)
        --bucket;
    return bucket;
}

Duration DurationSpread::bucketBegin(std::size_t bucket)
{
    return Duration(static_cast<std::int64_t>(std::ceil(std::exp2(double(std::min(bucket, LastBucket)) / PerOctave))));
}

DurationSpread spreadOf(std::vector<std::int64_t> lengths)
{
    DurationSpread spread;
    if (lengths.empty())
        return spread;
    std::ranges::sort(lengths);
    const auto rank = [&](std::size_t percent) { return Duration(lengths[placeOf(percent, lengths.size())]); };
    spread.count = lengths.size();
    spread.least = Duration(lengths.front());
    spread.most = Duration(lengths.back());
    spread.median = rank(50);
    spread.p90 = rank(90);
    spread.p99 = rank(99);
    std::size_t bucket = 0;
    Duration next = Duration::min(); // Where the bucket ends.
    for (const std::int64_t length : lengths) {
        spread.total = sumOf(spread.total, Duration(length));
        if (Duration(length) >= next) {
            bucket = DurationSpread::bucketOf(Duration(length));
            next = bucket < LastBucket ? DurationSpread::bucketBegin(bucket + 1) : Duration::max();
            spread.byLength.resize(bucket + 1);
        }
        ++spread.byLength[bucket];
    }
    return spread;
}

Duration nearestRank(std::span<std::int64_t> lengths, std::size_t percent)
{
    const auto at = lengths.begin() + static_cast<std::ptrdiff_t>(placeOf(percent, lengths.size()));
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
