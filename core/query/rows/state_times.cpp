#include "core/query/rows/state_times.h"

#include <algorithm>
#include <map>
#include <utility>

namespace helio {
namespace {

/// Minimum number of intervals between two checkpoints. The distance is also at least the number of sums in a checkpoint, so that all
/// checkpoints together take no more memory than the intervals.
constexpr std::size_t LeastApart = 256;

} // namespace

StateTimes::StateTimes(const Timeline& timeline, TrackRef row, std::stop_token stop)
{
    if (!row.isValid())
        return;
    std::map<std::pair<State, std::uint32_t>, std::uint32_t> known;
    for (const Interval& it : intervals(timeline, row, {Timestamp::min(), Timestamp::max()}, std::move(stop))) {
        const auto [key, isNew] = known.try_emplace({it.state, it.value}, static_cast<std::uint32_t>(m_keys.size()));
        if (isNew) {
            m_keys.push_back({it.state, it.value});
            m_sums.emplace_back();
        }
        add(it, key->second);
    }
}

void StateTimes::add(const Interval& interval, std::uint32_t key)
{
    const std::size_t last = m_checkpoints.empty() ? 0 : m_checkpoints.back().stay;
    if (m_stays.size() - last >= std::max(LeastApart, m_sums.size()))
        m_checkpoints.push_back({m_stays.size(), m_sums});
    m_stays.push_back({interval.range, key});
    m_sums[key] += interval.range.duration();
}

void StateTimes::visit(TimeRange range, const Take& take) const
{
    const auto first = std::ranges::upper_bound(m_stays, range.begin, {}, [](const Stay& stay) { return stay.range.end; });
    const auto end = std::ranges::lower_bound(m_stays, range.end, {}, [](const Stay& stay) { return stay.range.begin; });
    const auto last = static_cast<std::size_t>(end - m_stays.begin());
    // `from` is the first checkpoint (Checkpoint::stay) in the range, `after - 1` the last one. The intervals between these checkpoints lie
    // wholly in the range, so their times are taken from the difference of the checkpoints' sums.
    const auto from = std::ranges::upper_bound(m_checkpoints, static_cast<std::size_t>(first - m_stays.begin()), {}, &Checkpoint::stay);
    const auto after = std::ranges::lower_bound(m_checkpoints, last, {}, &Checkpoint::stay);
    const bool canSkip = after - from > 1;
    for (auto i = static_cast<std::size_t>(first - m_stays.begin()); i < last; ++i) {
        if (canSkip && i == from->stay) {
            takeRangeData(*from, *(after - 1), take);
            i = (after - 1)->stay;
        }
        const Stay& stay = m_stays[i];
        const Key& key = m_keys[stay.key];
        take(key.state, key.value, stay.range.clippedTo(range).duration());
    }
}

void StateTimes::takeRangeData(const Checkpoint& from, const Checkpoint& to, const Take& take) const
{
    for (std::size_t key = 0; key < to.sums.size(); ++key)
        if (const Duration time = to.sums[key] - (key < from.sums.size() ? from.sums[key] : Duration()); time > Duration::zero())
            take(m_keys[key].state, m_keys[key].value, time);
}

} // namespace helio
