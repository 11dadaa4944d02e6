#include "core/store/counters/counter_index.h"

#include "core/store/counters/counter_fold.h"
#include "core/store/counters/counter_numbers.h"
#include "core/store/file/byte_codec.h"
#include "core/store/time_limits.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

namespace helio {
namespace {

bool isSound(const CounterEntry& block, CounterNumber number)
{
    const bool isInTime = block.firstTime >= -TimeLimit && block.firstTime <= block.lastTime && block.lastTime <= TimeLimit;
    const auto least = CounterValue::fromBits(block.least);
    const auto most = CounterValue::fromBits(block.most);
    return isInTime && std::isfinite(block.integral) && block.count >= 1 && block.count <= CounterBlockPoints && isFinite(least, number)
        && isFinite(most, number) && std::ranges::all_of(std::array{block.first, block.last}, [&](std::uint64_t bits) {
               const auto value = CounterValue::fromBits(bits);
               return isFinite(value, number) && !isLess(value, least, number) && !isLess(most, value, number);
           });
}

bool areSound(std::span<const CounterEntry> blocks, CounterNumber number)
{
    const auto isBehind = [](const CounterEntry& a, const CounterEntry& b) { return a.lastTime > b.firstTime; };
    return std::ranges::all_of(blocks, [number](const CounterEntry& block) { return isSound(block, number); })
        && std::ranges::adjacent_find(blocks, isBehind) == blocks.end();
}

/// True if the entries of the levels equal those computed from the blocks.
bool areLevelsConsistent(std::span<const CounterEntry> blocks, std::span<const CounterEntry> levels, CounterNumber number)
{
    const auto right = makeLevelsAbove(blocks, [number](std::span<const CounterEntry> below) { return sumOf(below, number); });
    return std::ranges::equal(right, levels, haveSameSums);
}

using Points = std::vector<CounterPoint>;

/// Counter set that reads blocks. Each query descends the levels only as far as necessary, and decodes only the blocks that it needs.
class BlockCounters final : public CounterSet {
public:
    BlockCounters(CounterIndex index, VerifiedBytes bytes)
        : m_index(std::move(index))
        , m_bytes(std::move(bytes))
    {
    }

    std::span<const CounterSeries> series() const override { return m_index.series(); }
    bool isDamaged() const override { return m_isDamaged.load(std::memory_order_relaxed); }

    std::uint64_t count(CounterSeriesId series) const override
    {
        const auto& tree = m_index.of(series);
        return tree.isEmpty() ? 0 : tree.at(tree.top()).count;
    }

    void visit(CounterSeriesId series, HostRange range, const Take& take, std::stop_token stop) const override;
    CounterColumns spans(CounterSeriesId series, HostRange window, Duration resolution, std::stop_token stop) const override;
    std::optional<CounterPoint> next(CounterSeriesId series, HostTimestamp at) const override;

    std::optional<CounterPoint> valueAt(CounterSeriesId series, HostTimestamp at) const override
    {
        return last(series, [at](HostTimestamp time) { return time <= at; });
    }
    std::optional<CounterPoint> previous(CounterSeriesId series, HostTimestamp at) const override
    {
        return last(series, [at](HostTimestamp time) { return time < at; });
    }

private:
    bool load(const CounterEntry& block, CounterSeriesId series, Points& out) const;
    template <typename Is> std::optional<CounterPoint> last(CounterSeriesId series, Is is) const;

    CounterIndex m_index;
    VerifiedBytes m_bytes;
    mutable std::atomic<bool> m_isDamaged{false};
};

/// Decodes the points of a block into `out`. Returns false if the block is damaged or not here; `out` is then empty. Requires: `series`
/// exists.
bool BlockCounters::load(const CounterEntry& block, CounterSeriesId series, Points& out) const
{
    out.clear();
    if (!m_bytes.require(block.offset, block.bytes))
        return false;
    const auto bytes = m_bytes.at(block.offset, block.bytes, block.hash);
    const bool isGood = bytes && decodePoints(block, m_index.series()[static_cast<std::size_t>(series)], *bytes, out);
    if (!isGood)
        m_isDamaged.store(true, std::memory_order_relaxed);
    return isGood;
}

void BlockCounters::visit(CounterSeriesId series, HostRange range, const Take& take, std::stop_token stop) const
{
    Points points;
    m_index.of(series).walk([&](const CounterEntry& entry, bool isBlock) {
        if (stop.stop_requested() || hostTime(entry.lastTime) < range.begin || hostTime(entry.firstTime) >= range.end)
            return false;
        if (!isBlock)
            return true;
        load(entry, series, points);
        std::erase_if(points, [range](const CounterPoint& point) { return !range.contains(point.time); });
        if (!points.empty())
            take(points);
        return false;
    });
}

CounterColumns BlockCounters::spans(CounterSeriesId series, HostRange window, Duration resolution, std::stop_token stop) const
{
    const auto& tree = m_index.of(series);
    if (tree.isEmpty() || window.isEmpty())
        return {};
    CounterFold fold(window, resolution, m_index.series()[static_cast<std::size_t>(series)].number);
    Points points;
    tree.walk([&](const CounterEntry& entry, bool isBlock) {
        if (stop.stop_requested() || fold.isBehind(entry))
            return false;
        if (fold.isBefore(entry)) {
            fold.setBefore(entry.lastPoint());
            return false;
        }
        if (fold.isOneColumn(entry)) {
            fold.add(entry);
            return false;
        }
        if (isBlock) {
            load(entry, series, points);
            for (const CounterPoint& point : points)
                fold.add(point);
        }
        return true;
    });
    return fold.take();
}

/// Returns the last point whose time satisfies the predicate `is`. Requires: if `is` returns true for a time, it returns true for all
/// earlier times.
template <typename Is> std::optional<CounterPoint> BlockCounters::last(CounterSeriesId series, Is is) const
{
    std::optional<CounterPoint> found;
    Points points;
    m_index.of(series).walkBack([&](const CounterEntry& entry, bool isBlock) {
        if (found || !is(hostTime(entry.firstTime)))
            return false;
        if (is(hostTime(entry.lastTime))) {
            found = entry.lastPoint();
            return false;
        }
        if (isBlock) {
            if (!load(entry, series, points)) {
                found.reset(); // An earlier point would be wrong.
                return false;
            }
            const auto end = std::ranges::partition_point(points, is, &CounterPoint::time);
            if (end != points.begin())
                found = *std::prev(end);
        }
        return true;
    });
    return found;
}

std::optional<CounterPoint> BlockCounters::next(CounterSeriesId series, HostTimestamp at) const
{
    std::optional<CounterPoint> found;
    Points points;
    bool isMissing = false; // True if the block is missing that may contain the point.
    m_index.of(series).walk([&](const CounterEntry& entry, bool isBlock) {
        if (found || isMissing || hostTime(entry.lastTime) <= at)
            return false;
        if (hostTime(entry.firstTime) > at) {
            found = entry.firstPoint();
            return false;
        }
        if (isBlock) {
            isMissing = !load(entry, series, points);
            const auto it = std::ranges::upper_bound(points, at, {}, &CounterPoint::time);
            if (it != points.end())
                found = *it;
        }
        return true;
    });
    return found;
}

} // namespace

std::optional<CounterIndex> CounterIndex::read(const CounterDirectoryBytes& bytes, std::size_t tracks)
{
    CounterIndex index;
    std::vector<std::uint64_t> counts;
    std::span<const CounterEntry> blocks;
    std::span<const CounterEntry> levels;
    if (!decodeCounterSeries(ByteReader(bytes.series), tracks, index.m_series, counts) || !castEntries(bytes.blocks, blocks)
        || !castEntries(bytes.levels, levels))
        return {};
    const auto areTree = [&](std::size_t i, auto own, auto above) {
        const CounterNumber number = index.m_series[i].number;
        return areSound(own, number) && areLevelsConsistent(own, above, number);
    };
    if (!splitIntoTrees(counts, blocks, levels, areTree, index.m_trees))
        return {};
    index.m_owner = bytes.owner;
    return index;
}

const CounterIndex::Tree& CounterIndex::of(CounterSeriesId series) const
{
    static const Tree none;
    return static_cast<std::size_t>(series) < m_trees.size() ? m_trees[static_cast<std::size_t>(series)] : none;
}

std::shared_ptr<const CounterSet> makeBlockCounters(CounterIndex index, VerifiedBytes bytes)
{
    return std::make_shared<BlockCounters>(std::move(index), std::move(bytes));
}

} // namespace helio
