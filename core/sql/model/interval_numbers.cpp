#include "core/sql/model/interval_numbers.h"

#include "core/query/rows/statistics.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>

namespace helio::sql {

std::optional<Interval> findInterval(const Timeline& timeline, TrackRef ref, std::uint64_t number)
{
    const Track* const track = trackOf(timeline, ref);
    if (!track || number >= track->intervals)
        return {};
    const TimeRange life = clockOf(timeline, ref.store)(track->life);
    // The begin of the interval is the last time before which at most `number` intervals begin.
    Timestamp begin = life.begin;
    Timestamp end = life.end;
    while (end - begin > Duration(1)) {
        const Timestamp middle = begin + (end - begin) / 2;
        (countIntervalsBefore(timeline, ref, middle) <= number ? begin : end) = middle;
    }
    const auto found = intervalAt(timeline, ref, begin);
    return found.empty() ? std::nullopt : std::optional(found.front());
}

IntervalNumbers::IntervalNumbers(const Timeline& timeline, std::span<const TrackRef> tracks)
{
    m_firsts.reserve(tracks.size() + 1);
    m_firsts.push_back(0);
    for (const TrackRef ref : tracks) {
        const Track* const track = trackOf(timeline, ref);
        m_firsts.push_back(m_firsts.back() + (track ? track->intervals : 0));
    }
}

std::optional<IntervalNumbers::Position> IntervalNumbers::positionOf(std::int64_t id) const
{
    const auto number = static_cast<std::uint64_t>(id);
    if (id < 0 || number >= m_firsts.back())
        return {};
    const auto after = std::ranges::upper_bound(m_firsts, number);
    const auto track = static_cast<std::size_t>(after - m_firsts.begin()) - 1;
    return Position{track, number - m_firsts[track]};
}

std::uint64_t RunningCounts::before(const Timeline& timeline, std::size_t track, TrackRef ref, Timestamp at)
{
    if (m_counts[track].before != at)
        m_counts[track] = {at, countIntervalsBefore(timeline, ref, at)};
    return m_counts[track].count;
}

} // namespace helio::sql
