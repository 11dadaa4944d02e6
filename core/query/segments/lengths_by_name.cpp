#include "core/query/segments/lengths_by_name.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace helio {
namespace {

/// Where buckets of equal widths begin, and the last one ends. Requires: sorted.
std::vector<std::int64_t> evenBounds(const std::vector<std::int64_t>& lengths, std::size_t most)
{
    const std::int64_t first = lengths.front();
    const std::int64_t last = std::min(lengths.back(), INT64_MAX - 1);
    const auto width = static_cast<std::int64_t>(std::uint64_t(last - first) / most + 1);
    std::vector<std::int64_t> bounds{first};
    while (bounds.back() <= last)
        bounds.push_back(bounds.back() > INT64_MAX - width ? INT64_MAX : bounds.back() + width);
    return bounds;
}

/// The same of equal ratios; those that would be shorter than 1 ns are left out. What ends before it begins has a bucket of its own, where
/// there may be several.
std::vector<std::int64_t> ratioBounds(const std::vector<std::int64_t>& lengths, std::size_t most)
{
    if (lengths.front() < 0) {
        const std::int64_t last = std::min(lengths.back(), INT64_MAX - 1);
        const auto rest = std::ranges::lower_bound(lengths, 0);
        if (rest == lengths.end() || most == 1)
            return {lengths.front(), last + 1};
        std::vector<std::int64_t> bounds = ratioBounds({rest, lengths.end()}, most - 1);
        bounds.insert(bounds.begin(), lengths.front());
        return bounds;
    }
    const std::int64_t first = std::max<std::int64_t>(lengths.front(), 1);
    const std::int64_t end = std::max(std::min(lengths.back(), INT64_MAX - 1), first) + 1;
    std::vector<std::int64_t> bounds;
    if (lengths.front() == 0) { // What has no length has a bucket of its own, where there may be several.
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

} // namespace

LengthsByName::Sum& LengthsByName::sumOf(std::string_view name, std::string_view module)
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

void LengthsByName::add(std::string_view name, TimeRange range, const std::optional<CallPart>& call)
{
    Sum& sum = sumOf(name, call ? call->module : std::string_view());
    if (call && call->self)
        sum.self = sum.self.value_or(Duration{}) + *call->self;
    if (call && call->onCpu)
        sum.onCpu = sum.onCpu.value_or(Duration{}) + *call->onCpu;
    addEnds(sum, range, range);
    sum.lengths.push_back(lengthOf(range).count());
}

/// Before the lengths that they are of are added.
void LengthsByName::addEnds(Sum& sum, TimeRange least, TimeRange most)
{
    const bool isFirst = sum.lengths.empty();
    const auto isEarlier = [](TimeRange range, TimeRange known) { return lengthOf(range) == lengthOf(known) && range.begin < known.begin; };
    if (isFirst || lengthOf(least) < lengthOf(sum.least) || isEarlier(least, sum.least))
        sum.least = least;
    if (isFirst || lengthOf(most) > lengthOf(sum.most) || isEarlier(most, sum.most))
        sum.most = most;
}

void LengthsByName::add(LengthsByName&& other)
{
    const auto addTime = [](std::optional<Duration>& sum, std::optional<Duration> more) {
        if (more)
            sum = sum.value_or(Duration{}) + *more;
    };
    for (auto& [key, more] : other.m_sums) {
        Sum& sum = sumOf(key.first, key.second);
        addEnds(sum, more.least, more.most);
        addTime(sum.self, more.self);
        addTime(sum.onCpu, more.onCpu);
        if (sum.lengths.empty())
            sum.lengths = std::move(more.lengths);
        else
            sum.lengths.insert(sum.lengths.end(), more.lengths.begin(), more.lengths.end());
    }
    other.m_sums.clear();
    other.m_met = {};
}

std::vector<NamedLengths> LengthsByName::take()
{
    std::vector<NamedLengths> all;
    m_met = {};
    while (!m_sums.empty()) {
        auto node = m_sums.extract(m_sums.begin());
        Sum& sum = node.mapped();
        all.push_back(
            {node.key().first, node.key().second, spreadOf(std::move(sum.lengths)), sum.least.begin, sum.most.begin, sum.self, sum.onCpu});
    }
    std::ranges::stable_sort(all, std::greater(), [](const NamedLengths& it) { return it.lengths.total; });
    return all;
}

std::vector<LengthBucket> bucketsOf(std::vector<std::int64_t> lengths, std::size_t most, bool isLogarithmic)
{
    std::vector<LengthBucket> buckets;
    if (lengths.empty())
        return buckets;
    std::ranges::sort(lengths);
    const auto bounds = isLogarithmic ? ratioBounds(lengths, most) : evenBounds(lengths, most);
    auto at = lengths.begin();
    for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
        const bool isLast = i + 2 == bounds.size();
        const auto end = isLast ? lengths.end() : std::lower_bound(at, lengths.end(), bounds[i + 1]);
        buckets.push_back({Duration(bounds[i]), Duration(bounds[i + 1]), static_cast<std::uint64_t>(end - at)});
        at = end;
    }
    return buckets;
}

} // namespace helio
