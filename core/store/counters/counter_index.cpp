#include "core/store/counters/counter_index.h"

#include "core/store/counters/counter_numbers.h"
#include "core/store/file/cast_entries.h"
#include "core/store/time_limits.h"

#include <algorithm>
#include <array>
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

/// True if the levels have the sums that follow from the blocks.
bool areLevelsConsistent(std::span<const CounterEntry> blocks, std::span<const CounterEntry> levels, CounterNumber number)
{
    const auto right = makeLevelsAbove(blocks, [number](std::span<const CounterEntry> below) { return sumOf(below, number); });
    return std::ranges::equal(right, levels, haveSameSums);
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

} // namespace helio
