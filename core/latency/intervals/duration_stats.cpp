#include "core/latency/intervals/duration_stats.h"

#include "core/base/parallel_for.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <functional>
#include <tuple>
#include <utility>

namespace helio {
namespace {

/// Minimum number of durations for which a lookup table saves more time than its construction takes.
constexpr std::size_t WorthATable = 1000;

/// Shortest and longest duration, from which the bounds of the buckets are computed.
struct Extent {
    std::int64_t least = INT64_MAX;
    std::int64_t most = INT64_MIN;
    std::int64_t leastNotNegative = INT64_MAX;

    explicit Extent(std::span<const std::int64_t> lengths)
    {
        for (const std::int64_t length : lengths) {
            least = std::min(least, length);
            most = std::max(most, length);
            if (length >= 0)
                leastNotNegative = std::min(leastNotNegative, length);
        }
    }
};

/// Returns the bounds of buckets with equal widths: the start of each bucket, then the end of the last one.
std::vector<std::int64_t> evenBounds(const Extent& extent, std::size_t most)
{
    const std::int64_t first = extent.least;
    const std::int64_t last = std::min(extent.most, INT64_MAX - 1);
    const auto width = static_cast<std::int64_t>((std::uint64_t(last) - std::uint64_t(first)) / most + 1);
    std::vector<std::int64_t> bounds{first};
    while (bounds.back() <= last)
        bounds.push_back(bounds.back() > INT64_MAX - width ? INT64_MAX : bounds.back() + width);
    return bounds;
}

/// Returns the bounds of buckets in which the upper bound divided by the lower bound is the same for all buckets: the lower bound of each
/// bucket, then the upper bound of the last bucket. Buckets narrower than 1 ns are merged. Negative durations get a bucket of their own if
/// `most` permits several buckets.
std::vector<std::int64_t> ratioBounds(Extent extent, std::size_t most)
{
    if (extent.least < 0) {
        if (extent.most < 0 || most == 1)
            return {extent.least, std::min(extent.most, INT64_MAX - 1) + 1};
        const std::int64_t before = std::exchange(extent.least, extent.leastNotNegative);
        std::vector<std::int64_t> bounds = ratioBounds(extent, most - 1);
        bounds.insert(bounds.begin(), before);
        return bounds;
    }
    const std::int64_t first = std::max<std::int64_t>(extent.least, 1);
    const std::int64_t end = std::max(std::min(extent.most, INT64_MAX - 1), first) + 1;
    std::vector<std::int64_t> bounds;
    if (extent.least == 0) { // Durations of 0 get a bucket of their own if `most` permits several buckets.
        bounds.push_back(0);
        if (most == 1)
            return {0, end};
        --most;
    }
    bounds.push_back(first);
    const double ratio = std::log(double(end) / double(first));
    for (std::size_t i = 1; i < most; ++i) {
        const double bound = std::round(double(first) * std::exp(ratio * double(i) / double(most)));
        if (bound > double(bounds.back()) && bound < double(end))
            bounds.push_back(static_cast<std::int64_t>(bound));
    }
    bounds.push_back(end);
    return bounds;
}

/// Finds the bucket of a duration. A table with 64 entries for each octave (the durations from 2^n to 2^(n+1)) gives the first
/// candidate, so that only few bounds are compared.
class BucketFinder {
public:
    /// Requires: `bounds` has at least two elements.
    explicit BucketFinder(const std::vector<std::int64_t>& bounds)
        : m_bounds(bounds.begin(), bounds.end() - 1)
    {
        std::size_t bucket = 0;
        for (std::size_t part = 0; part < m_first.size(); ++part) {
            while (bucket + 1 < m_bounds.size() && partOf(m_bounds[bucket + 1]) < part)
                ++bucket;
            m_first[part] = static_cast<std::uint32_t>(bucket);
        }
    }

    std::size_t bucketOf(std::int64_t length) const
    {
        const std::size_t part = partOf(length);
        const auto first = m_bounds.begin() + m_first[part] + 1;
        const auto last = part + 1 < m_first.size() ? m_bounds.begin() + m_first[part + 1] + 1 : m_bounds.end();
        return static_cast<std::size_t>(std::upper_bound(first, last, length) - m_bounds.begin()) - 1;
    }

private:
    static constexpr int PartBits = 6;

    /// Returns the index of a duration in the lookup table m_first. Longer durations have the same or a higher index.
    std::size_t partOf(std::int64_t length) const
    {
        const std::uint64_t above = std::uint64_t(length) - std::uint64_t(m_bounds.front());
        const int octave = std::bit_width(above | 1) - 1;
        const std::uint64_t part = octave >= PartBits ? above >> (octave - PartBits) : above << (PartBits - octave);
        return (std::size_t(octave) << PartBits) + (part & ((1u << PartBits) - 1));
    }

    std::vector<std::int64_t> m_bounds; ///< Bounds of the buckets, except the last bound.
    /// Lookup table, indexed by partOf(): the first bucket that can contain a duration with this index.
    std::array<std::uint32_t, 64u << PartBits> m_first{};
};

} // namespace

std::vector<HistogramBucket> bucketsOf(std::span<const std::int64_t> lengths, std::size_t most, bool isLogarithmic)
{
    if (lengths.empty())
        return {};
    const Extent extent(lengths);
    const auto bounds = isLogarithmic ? ratioBounds(extent, most) : evenBounds(extent, most);
    std::vector<HistogramBucket> buckets;
    for (std::size_t i = 0; i + 1 < bounds.size(); ++i)
        buckets.push_back({Duration(bounds[i]), Duration(bounds[i + 1]), 0});
    if (lengths.size() < WorthATable) {
        const std::span starts(bounds.data(), bounds.size() - 1);
        for (const std::int64_t length : lengths)
            ++buckets[static_cast<std::size_t>(std::ranges::upper_bound(starts, length) - starts.begin()) - 1].count;
        return buckets;
    }
    const BucketFinder finder(bounds);
    for (const std::int64_t length : lengths)
        ++buckets[finder.bucketOf(length)].count;
    return buckets;
}

DurationAggregator::Sum& DurationAggregator::sumOf(std::string_view name, std::string_view module)
{
    Met& met = m_met[std::hash<const void*>()(name.data()) / 16 % m_met.size()];
    if (met.sum && met.text == name.data() && met.sum->first.first == name && met.sum->first.second == module)
        return met.sum->second;
    auto found = m_sums.find(std::pair(name, module));
    if (found == m_sums.end())
        found = m_sums.try_emplace({std::string(name), std::string(module)}).first;
    met = {name.data(), &*found};
    return found->second;
}

void DurationAggregator::addUnfinished(Sum& sum, std::uint64_t count, Duration time)
{
    sum.unfinished += count;
    sum.unfinishedTime = helio::sumOf(sum.unfinishedTime, time);
}

void DurationAggregator::add(std::string_view name, TimeRange range, const std::optional<CallPart>& call, bool isUnfinished)
{
    Sum& sum = sumOf(name, call ? call->module : std::string_view());
    if (call && call->self)
        sum.self = sum.self.value_or(Duration{}) + *call->self;
    if (call && call->onCpu)
        sum.onCpu = sum.onCpu.value_or(Duration{}) + *call->onCpu;
    sum.lacksCpuTime |= call && call->lacksCpuTime;
    if (isUnfinished)
        return addUnfinished(sum, 1, lengthOf(range));
    addEnds(sum, range, range);
    sum.lengths.push_back(lengthOf(range).count());
}

/// Updates the shortest and the longest interval of `sum`. Must be called before the durations are added to sum.lengths.
void DurationAggregator::addEnds(Sum& sum, TimeRange least, TimeRange most)
{
    const bool isFirst = sum.lengths.empty();
    const auto isEarlier = [](TimeRange range, TimeRange known) { return lengthOf(range) == lengthOf(known) && range.begin < known.begin; };
    if (isFirst || lengthOf(least) < lengthOf(sum.least) || isEarlier(least, sum.least))
        sum.least = least;
    if (isFirst || lengthOf(most) > lengthOf(sum.most) || isEarlier(most, sum.most))
        sum.most = most;
}

void DurationAggregator::add(DurationAggregator&& other)
{
    const auto addTime = [](std::optional<Duration>& sum, std::optional<Duration> more) {
        if (more)
            sum = sum.value_or(Duration{}) + *more;
    };
    for (auto& [key, more] : other.m_sums) {
        Sum& sum = sumOf(key.first, key.second);
        if (!more.lengths.empty())
            addEnds(sum, more.least, more.most);
        addUnfinished(sum, more.unfinished, more.unfinishedTime);
        addTime(sum.self, more.self);
        addTime(sum.onCpu, more.onCpu);
        sum.lacksCpuTime |= more.lacksCpuTime;
        if (sum.lengths.empty())
            sum.lengths = std::move(more.lengths);
        else
            sum.lengths.insert(sum.lengths.end(), more.lengths.begin(), more.lengths.end());
    }
    other.m_sums.clear();
    other.m_met = {};
}

std::vector<DurationStats> DurationAggregator::take(std::size_t buckets)
{
    std::vector<Sums::node_type> nodes;
    m_met = {};
    while (!m_sums.empty())
        nodes.push_back(m_sums.extract(m_sums.begin()));
    std::ranges::stable_sort(nodes, std::greater(), [](const Sums::node_type& it) { return it.mapped().lengths.size(); });
    std::vector<DurationStats> all(nodes.size());
    std::atomic<std::size_t> next = 0;
    parallelFor(std::min(usefulThreadCount(4), nodes.size()), [&](std::size_t) {
        for (std::size_t i = next++; i < nodes.size(); i = next++)
            all[i] = lengthsOf(nodes[i].key(), nodes[i].mapped(), buckets);
    });
    std::ranges::sort(all, [](const DurationStats& a, const DurationStats& b) {
        return std::tuple(b.total(), std::string_view(a.name), std::string_view(a.module))
            < std::tuple(a.total(), std::string_view(b.name), std::string_view(b.module));
    });
    return all;
}

DurationStats DurationAggregator::lengthsOf(const Key& key, Sum& sum, std::size_t buckets)
{
    DurationStats found{key.first, key.second, {}, sum.least.begin, sum.most.begin,    sum.self,
                        {},        {},         {}, sum.unfinished,  sum.unfinishedTime};
    if (!sum.lacksCpuTime)
        found.onCpu = sum.onCpu;
    if (buckets > 0) {
        found.logarithmic = bucketsOf(sum.lengths, buckets, true);
        found.linear = bucketsOf(sum.lengths, buckets, false);
    }
    found.lengths = summarizeDurations(std::move(sum.lengths));
    return found;
}

} // namespace helio
