#include "core/store/intervals/block_index.h"

#include "core/store/file/byte_codec.h"
#include "core/store/intervals/state_times.h"
#include "core/store/time_limits.h"

#include <algorithm>
#include <cstring>

namespace helio {
std::size_t BlockIndex::nodesAt(const TrackBlocks& track, unsigned level)
{
    std::size_t count = track.count;
    for (; level > 0; --level)
        count = (count + format::LevelFanOut - 1) / format::LevelFanOut;
    return count;
}

std::vector<BlockIndex::TrackBlocks> BlockIndex::layOut(std::span<const std::uint32_t> counts, std::uint64_t& levelNodes)
{
    std::vector<TrackBlocks> tracks(counts.size());
    std::uint64_t first = 0;
    levelNodes = 0;
    for (std::size_t n = 0; n < counts.size(); ++n) {
        TrackBlocks& track = tracks[n];
        track.first = first;
        track.count = counts[n];
        first += counts[n];
        while (nodesAt(track, track.levels) > 1) {
            ++track.levels;
            track.levelStart[track.levels - 1] = static_cast<std::uint32_t>(levelNodes);
            levelNodes += nodesAt(track, track.levels);
        }
    }
    return tracks;
}

bool BlockIndex::addTimes(const BlockEntry& entry, StateTimes& sums) const
{
    ByteReader in(m_times.subspan(entry.times));
    return readTimes(in, entry.node, [&](std::size_t state, const StateTime& time) { sums[state].add(time); });
}

std::optional<BlockIndex> BlockIndex::read(DirectoryBytes bytes, std::size_t trackCount, std::uint64_t dataBegin, std::uint64_t dataEnd)
{
    BlockIndex index;
    std::span<const std::uint32_t> counts;
    if (!castEntries(bytes.counts, counts) || !castEntries(bytes.blocks, index.m_entries) || !castEntries(bytes.levels, index.m_levels)
        || !castEntries(bytes.shares, index.m_shares) || counts.size() != trackCount)
        return {};
    std::uint64_t blocks = 0;
    std::uint64_t levelNodes = 0;
    for (const std::uint32_t count : counts)
        blocks += count;
    index.m_tracks = layOut(counts, levelNodes);
    if (blocks != index.m_entries.size() || levelNodes != index.m_levels.size() || levelNodes > UINT32_MAX)
        return {};
    index.m_times = bytes.times;
    index.m_owner = std::move(bytes.owner);
    for (const TrackBlocks& track : index.m_tracks)
        if (!index.areBlocksSound(track, dataBegin, dataEnd) || !index.areLevelsSound(track))
            return {};
    return index;
}

bool BlockIndex::isSound(const LevelNode& node, std::uint64_t firstShare) const
{
    std::uint8_t gap = 0; // Read the flag as a number and not as a bool, because a damaged byte may be neither 0 nor 1.
    std::memcpy(&gap, &node.hasGap, 1);
    const auto state = static_cast<unsigned>(node.state);
    return gap <= 1 && state < 32 && (node.mask >> state & 1) && node.begin >= -TimeLimit && node.end <= TimeLimit && node.begin < node.end
        && node.longest >= 0 && node.longest <= node.length() && node.count >= 1 && firstShare <= m_shares.size()
        && static_cast<std::size_t>(std::popcount(node.mask)) <= m_shares.size() - firstShare;
}

bool BlockIndex::isSound(const BlockEntry& entry, std::uint64_t dataBegin, std::uint64_t dataEnd) const
{
    if (!isSound(entry.node, entry.firstShare) || entry.times > m_times.size() || entry.node.count > format::BlockItems)
        return false;
    if (entry.node.count == 1)
        return entry.length == 0 && hasSingleState(entry.node);
    return entry.offset >= dataBegin && entry.offset <= dataEnd && entry.length > 0 && entry.length <= dataEnd - entry.offset;
}

bool BlockIndex::areBlocksSound(const TrackBlocks& track, std::uint64_t dataBegin, std::uint64_t dataEnd) const
{
    std::int64_t end = -TimeLimit;
    for (const BlockEntry& entry : m_entries.subspan(track.first, track.count)) {
        if (!isSound(entry, dataBegin, dataEnd) || entry.node.begin < end)
            return false;
        end = entry.node.end;
    }
    return true;
}

bool BlockIndex::areLevelsSound(const TrackBlocks& track) const
{
    for (unsigned level = 1; level <= track.levels; ++level) {
        const std::size_t below = nodesAt(track, level - 1);
        for (std::size_t i = 0, first = 0; first < below; ++i, first += format::LevelFanOut) {
            const LevelEntry& entry = m_levels[track.levelStart[level - 1] + i];
            const std::size_t last = std::min(first + format::LevelFanOut, below) - 1;
            if (!isSound(entry.node, entry.firstShare) || entry.node.begin != nodeAt(track, level - 1, first).node->begin
                || entry.node.end != nodeAt(track, level - 1, last).node->end)
                return false;
        }
    }
    return true;
}

} // namespace helio
