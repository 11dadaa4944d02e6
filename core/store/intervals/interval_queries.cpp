#include "core/store/intervals/interval_queries.h"

#include "core/store/intervals/block_reader.h"
#include "core/store/time_limits.h"

#include <algorithm>

namespace helio {
namespace {

/// Largest number of intervals for which inWindow() takes memory at once: a damaged block may claim more than it has.
constexpr std::uint64_t MostReserved = 1 << 16;

HostInterval intervalOf(std::int64_t begin, std::int64_t end, std::uint8_t state, std::uint32_t value)
{
    return {{hostTime(begin), hostTime(end)}, State(state), value};
}

std::vector<StateTotal> present(const StateTimes& times)
{
    std::vector<StateTotal> result;
    for (std::size_t state = 0; state < times.size(); ++state) {
        const StateTime& time = times[state];
        if (time.count > 0)
            result.push_back(
                {State(static_cast<std::uint8_t>(state)), time.count, Duration(time.total), Duration(time.min), Duration(time.max)});
    }
    return result;
}

} // namespace

std::size_t IntervalQueries::firstBlockEndingAfter(std::int64_t time) const
{
    const auto it =
        std::partition_point(m_blocks.begin(), m_blocks.end(), [time](const BlockEntry& block) { return block.node.end <= time; });
    return static_cast<std::size_t>(it - m_blocks.begin());
}

template <typename Visit> bool IntervalQueries::forEach(const BlockEntry& block, std::int64_t from, Visit visit) const
{
    const LevelNode& node = block.node;
    if (node.count == 1)
        return node.end <= from || visit(intervalOf(node.begin, node.end, static_cast<std::uint8_t>(node.state), node.value));
    const auto bytes = m_data.bytesOf(block);
    if (bytes.empty())
        return true;
    BlockReader reader(bytes, node, m_data.index().sharesOf(block));
    while (reader.nextStretch()) {
        if (reader.stretch().node.end <= from)
            continue;
        while (reader.nextGroup()) {
            if (reader.group().node.end <= from)
                continue;
            for (const BlockReader::Item& item : reader.items()) {
                if (item.end <= from || item.state == format::GapState)
                    continue;
                if (!visit(intervalOf(item.begin, item.end, item.state, item.value)))
                    return false;
            }
        }
    }
    if (reader.isDamaged())
        m_data.setDamaged();
    return true;
}

std::vector<HostInterval> IntervalQueries::inWindow(HostRange window, std::stop_token stop) const
{
    std::vector<HostInterval> result;
    if (window.isEmpty())
        return result;
    const auto take = [&](const HostInterval& interval) {
        if (interval.range.begin >= window.end)
            return false;
        result.push_back(interval);
        return true;
    };
    const std::size_t first = firstBlockEndingAfter(nanoseconds(window.begin));
    std::uint64_t count = 0; // Number of the intervals in all blocks of the window.
    for (std::size_t b = first; b < m_blocks.size() && m_blocks[b].node.begin < nanoseconds(window.end) && count < MostReserved; ++b)
        count += m_blocks[b].node.count;
    result.reserve(std::min(count, MostReserved));
    for (std::size_t b = first; b < m_blocks.size(); ++b) {
        if (stop.stop_requested())
            return {};
        if (m_blocks[b].node.begin >= nanoseconds(window.end) || !forEach(m_blocks[b], nanoseconds(window.begin), take))
            break;
    }
    return result;
}

std::vector<HostInterval> IntervalQueries::at(HostTimestamp at) const
{
    std::vector<HostInterval> result;
    const std::size_t b = firstBlockEndingAfter(nanoseconds(at));
    if (b == m_blocks.size() || m_blocks[b].node.begin > nanoseconds(at))
        return result;
    forEach(m_blocks[b], nanoseconds(at), [&](const HostInterval& interval) {
        if (interval.range.contains(at))
            result.push_back(interval);
        return false;
    });
    return result;
}

std::vector<HostInterval> IntervalQueries::next(HostTimestamp at) const
{
    std::vector<HostInterval> result;
    const auto take = [&](const HostInterval& interval) {
        if (interval.range.begin <= at)
            return true;
        result.push_back(interval);
        return false;
    };
    for (std::size_t b = firstBlockEndingAfter(nanoseconds(at)); b < m_blocks.size(); ++b) {
        if (!forEach(m_blocks[b], nanoseconds(at), take))
            break;
    }
    return result;
}

std::vector<HostInterval> IntervalQueries::previous(HostTimestamp at) const
{
    // Look at the nanosecond before `at` first, because the previous interval usually ends exactly at `at`. If no interval is there, search
    // backwards block by block.
    std::vector<HostInterval> result = this->at(hostTime(limitedTime(nanoseconds(at)) - 1));
    if (!result.empty() && result.front().range.end == at)
        return result;
    result.clear();
    const std::size_t first = firstBlockEndingAfter(nanoseconds(at));
    for (std::size_t b = std::min(first + 1, m_blocks.size()); b-- > 0 && result.empty();) {
        forEach(m_blocks[b], INT64_MIN, [&](const HostInterval& interval) {
            if (interval.range.end > at)
                return false;
            result.assign(1, interval);
            return true;
        });
    }
    return result;
}

std::vector<StateTotal> IntervalQueries::totals(HostRange range) const
{
    StateTimes times{};
    const std::int64_t begin = nanoseconds(range.begin);
    const std::int64_t end = nanoseconds(range.end);
    for (std::size_t b = firstBlockEndingAfter(begin); b < m_blocks.size() && m_blocks[b].node.begin < end && begin < end; ++b) {
        const LevelNode& node = m_blocks[b].node;
        if (node.begin >= begin && node.end <= end) {
            if (!m_data.index().addTimes(m_blocks[b], times))
                m_data.setDamaged();
            continue;
        }
        forEach(m_blocks[b], begin, [&](const HostInterval& interval) {
            const HostRange part = interval.range.clippedTo(range);
            if (part.isEmpty())
                return false;
            times[static_cast<std::size_t>(interval.state)].add(part.duration().count());
            return true;
        });
    }
    return present(times);
}

} // namespace helio
