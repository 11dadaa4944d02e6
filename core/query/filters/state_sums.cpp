#include "core/query/filters/state_search.h"
#include "core/query/rows/duration_distribution.h"
#include "core/query/rows/statistics.h"

#include <algorithm>

namespace helio {
namespace {

bool isMore(const StateGroup& a, const StateGroup& b) { return a.durations.total > b.durations.total; }

} // namespace

Duration StateDurations::mean() const { return meanOf(total, count); }

void StateSums::add(TrackRef track, std::string_view state, Duration duration)
{
    if (m_last == m_sums.end() || m_last->first.second != track || m_last->first.first != state)
        m_last = m_sums.try_emplace(Key(state, track)).first;
    Sum& sum = m_last->second;
    StateDurations& known = sum.known;
    known.min = known.count == 0 ? duration : std::min(known.min, duration);
    known.max = std::max(known.max, duration);
    known.total += duration;
    ++known.count;
    if (++m_count <= MostDurations)
        sum.durations.push_back(duration.count());
}

StateDurations StateSums::finished(std::span<const Sum* const> parts) const
{
    StateDurations all;
    std::vector<std::int64_t> durations;
    for (const Sum* part : parts) {
        const StateDurations& it = part->known;
        all.min = all.count == 0 ? it.min : std::min(all.min, it.min);
        all.max = std::max(all.max, it.max);
        all.total += it.total;
        all.count += it.count;
        durations.insert(durations.end(), part->durations.begin(), part->durations.end());
    }
    if (all.count > 0 && durations.size() == all.count) {
        all.p50 = nearestRank(durations, 50);
        all.p99 = nearestRank(durations, 99);
    }
    return all;
}

StateDurations StateSums::all() const
{
    std::vector<const Sum*> parts;
    for (const auto& [key, sum] : m_sums)
        parts.push_back(&sum);
    return finished(parts);
}

std::vector<StateGroup> StateSums::groups() const
{
    // For each state: the sum over all rows, then each row.
    std::vector<std::vector<StateGroup>> states;
    for (auto it = m_sums.begin(); it != m_sums.end();) {
        const std::string& state = it->first.first;
        std::vector<StateGroup> group{{state, {}, {}}};
        std::vector<const Sum*> parts;
        for (; it != m_sums.end() && it->first.first == state; ++it) {
            const Sum* part = &it->second;
            parts.push_back(part);
            group.push_back({state, it->first.second, finished({&part, 1})});
        }
        group.front().durations = finished(parts);
        std::stable_sort(group.begin() + 1, group.end(), isMore);
        states.push_back(std::move(group));
    }
    std::stable_sort(states.begin(), states.end(), [](const auto& a, const auto& b) { return isMore(a.front(), b.front()); });
    std::vector<StateGroup> all;
    for (auto& group : states)
        std::move(group.begin(), group.end(), std::back_inserter(all));
    return all;
}

} // namespace helio
