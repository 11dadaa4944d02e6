#include "core/latency/intervals/duration_stats.h"

#include "core/base/parallel_for.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <tuple>

namespace helio {

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

void DurationAggregator::add(std::string_view name, TimeRange range, const std::optional<CallPart>& call)
{
    Sum& sum = sumOf(name, call ? call->module : std::string_view());
    if (call && call->self)
        sum.self = sum.self.value_or(Duration{}) + *call->self;
    if (call && call->onCpu)
        sum.onCpu = sum.onCpu.value_or(Duration{}) + *call->onCpu;
    addEnds(sum, range, range);
    sum.lengths.push_back(lengthOf(range).count());
}

/// Updates the shortest and the longest interval. Must be called before their lengths are added to `sum`.
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
        return std::tie(b.lengths.total, a.name, a.module) < std::tie(a.lengths.total, b.name, b.module);
    });
    return all;
}

DurationStats DurationAggregator::lengthsOf(const Key& key, Sum& sum, std::size_t buckets)
{
    DurationStats found{key.first, key.second, {}, sum.least.begin, sum.most.begin, sum.self, sum.onCpu, {}, {}};
    if (buckets > 0) {
        found.logarithmic = bucketsOf(sum.lengths, buckets, true);
        found.linear = bucketsOf(sum.lengths, buckets, false);
    }
    found.lengths = summarizeDurations(std::move(sum.lengths));
    return found;
}

} // namespace helio
