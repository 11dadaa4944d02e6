#include "widgets/timeline/graph/rows/graph_rows.h"

#include "core/counters/rates.h"

#include <algorithm>

namespace helio {

void addUtilization(const Timeline& timeline, std::span<const std::pair<TrackRef, UtilizationSeries>> rows, TimeRange window,
                    Shares& shares)
{
    for (const auto& [row, series] : rows)
        if (const auto share = utilizationInRange(timeline, series, window))
            shares.insert_or_assign(row, BusyShare(*share));
}

int GraphRows::at(int y) const
{
    if (y < 0 || y >= height())
        return -1;
    return int(std::ranges::upper_bound(m_tops, y) - m_tops.begin()) - 1;
}

std::optional<BusyShare> shareOf(const GraphRow& row, const Shares& shares)
{
    const auto known = [&](TrackRef ref) {
        const auto it = shares.find(ref);
        return it == shares.end() ? std::nullopt : std::optional(it->second);
    };
    if (!row.sources)
        return known(row.meter());
    std::optional<BusyShare> sum;
    for (const LaneSource& source : *row.sources)
        if (const auto share = known(source.track)) {
            const BusyShare before = sum.value_or(BusyShare());
            sum = BusyShare(before.share + share->share, before.isLowerBound || share->isLowerBound);
        }
    return sum;
}

int GraphRows::findLane(TrackRef lane) const
{
    if (const int row = find(lane); row >= 0)
        return row;
    const auto group = std::ranges::find_if(m_rows, [&](const GraphRow& row) { return !row.ref.isValid() && row.lane() == lane; });
    return group == m_rows.end() || !lane.isValid() ? -1 : int(group - m_rows.begin());
}

int GraphRows::find(TrackRef ref) const
{
    const auto it = ref.isValid() ? m_index.find(ref) : m_index.end();
    return it == m_index.end() ? -1 : it->second;
}

int GraphRows::findHost(std::uint32_t host) const
{
    const auto it = std::ranges::find(m_hosts, host, &std::pair<std::uint32_t, int>::first);
    return it == m_hosts.end() ? -1 : it->second;
}

std::pair<int, int> GraphRows::stackOf(int row) const
{
    const auto continues = [this](int i) {
        const RowShape shape = m_rows[std::size_t(i)].drawnAs;
        return shape == RowShape::Frame || shape == RowShape::Strip;
    };
    int first = row;
    while (first > 0 && continues(first))
        --first;
    int end = row + 1;
    while (m_rows[std::size_t(first)].hasFrames() && end < count() && continues(end))
        ++end;
    return {m_rows[std::size_t(first)].hasFrames() ? first : row, end};
}

} // namespace helio
