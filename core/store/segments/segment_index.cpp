#include "core/store/segments/segment_index.h"

#include "core/store/file/cast_entries.h"
#include "core/store/time_limits.h"

#include <algorithm>

namespace helio {
namespace {

bool isSound(const SegmentEntry& block)
{
    const bool isInTime = block.firstBegin >= -TimeLimit && block.firstBegin <= block.lastBegin && block.lastBegin <= block.lastEnd
        && block.lastEnd <= TimeLimit;
    return isInTime && block.count >= 1 && block.count <= SegmentBlockSegments && block.shortest >= 0 && block.shortest <= block.longest
        && block.longest <= block.lastEnd - block.firstBegin && block.total >= block.longest;
}

bool areSound(std::span<const SegmentEntry> blocks)
{
    return std::ranges::all_of(blocks, [](const SegmentEntry& block) { return isSound(block); })
        && std::ranges::is_sorted(blocks, {}, &SegmentEntry::firstBegin);
}

/// True if the levels have the sums that follow from the blocks.
bool areLevelsConsistent(std::span<const SegmentEntry> blocks, std::span<const SegmentEntry> levels)
{
    const auto right = makeLevelsAbove(blocks, [](std::span<const SegmentEntry> below) { return sumOf(below); });
    return std::ranges::equal(right, levels, haveSameSums);
}

} // namespace

std::optional<SegmentIndex> SegmentIndex::read(const SegmentDirectoryBytes& bytes)
{
    SegmentIndex index;
    std::vector<std::uint64_t> counts;
    std::span<const SegmentEntry> blocks;
    std::span<const SegmentEntry> levels;
    if (!decodeSegmentKinds(ByteReader(bytes.kinds), index.m_kinds, counts) || !castEntries(bytes.blocks, blocks)
        || !castEntries(bytes.levels, levels))
        return {};
    const auto areTree = [](std::size_t, auto own, auto above) { return areSound(own) && areLevelsConsistent(own, above); };
    if (!splitIntoTrees(counts, blocks, levels, areTree, index.m_trees))
        return {};
    index.m_owner = bytes.owner;
    return index;
}

const SegmentIndex::Tree& SegmentIndex::of(SegmentKindId kind) const
{
    static const Tree none;
    return static_cast<std::size_t>(kind) < m_trees.size() ? m_trees[static_cast<std::size_t>(kind)] : none;
}

} // namespace helio
