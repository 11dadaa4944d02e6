#include "core/store/block_index.h"

#include "core/store/time_limits.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <xxhash.h>

namespace helio {
namespace {

constexpr std::uint32_t MaxShares = 0xf0000000;

/// A block of one state all over needs no sums: they are in its node.
bool isPlain(const LevelNode& node) { return std::has_single_bit(node.mask) && !node.hasGap; }

template <typename Visit> void forEachState(std::uint32_t mask, Visit visit)
{
    for (; mask != 0; mask &= mask - 1)
        visit(static_cast<std::size_t>(std::countr_zero(mask)));
}

void putTimes(ByteWriter& out, const BlockFacts& facts)
{
    if (isPlain(facts.node)) {
        if (facts.node.count > 1)
            out.put(static_cast<std::uint64_t>(facts.times[static_cast<std::size_t>(facts.node.state)].min));
        return;
    }
    forEachState(facts.node.mask, [&](std::size_t state) {
        const StateTime& time = facts.times[state];
        out.put(time.count);
        out.put(static_cast<std::uint64_t>(time.total));
        if (time.count > 1) {
            out.put(static_cast<std::uint64_t>(time.min));
            out.put(static_cast<std::uint64_t>(time.max - time.min));
        }
    });
}

std::int64_t getLength(ByteReader& in, std::int64_t most, bool& isGood)
{
    const std::uint64_t value = in.get();
    isGood = isGood && value <= static_cast<std::uint64_t>(most);
    return isGood ? static_cast<std::int64_t>(value) : 0;
}

/// Hands the time of each state of the node to `visit`. False where they do not fit the node.
template <typename Visit> bool readTimes(ByteReader& in, const LevelNode& node, Visit visit)
{
    bool isGood = true;
    if (isPlain(node)) {
        StateTime time{node.count, node.length(), node.longest, node.longest};
        if (node.count > 1)
            time.min = getLength(in, node.longest, isGood);
        visit(static_cast<std::size_t>(node.state), time);
        return isGood && !in.hasFailed();
    }
    std::int64_t left = node.length();
    std::uint64_t count = 0;
    forEachState(node.mask, [&](std::size_t state) {
        StateTime time;
        time.count = in.get();
        time.total = getLength(in, left, isGood);
        time.min = time.max = time.total;
        if (time.count > 1) {
            time.min = getLength(in, time.total, isGood);
            time.max = time.min + getLength(in, time.total - time.min, isGood);
        }
        isGood = isGood && time.count >= 1 && time.count <= node.count;
        left -= time.total;
        count += time.count;
        visit(state, time);
    });
    return isGood && count == node.count && !in.hasFailed();
}

} // namespace

void BlockIndex::add(std::uint32_t track, std::uint64_t offset, std::span<const std::byte> bytes, const BlockFacts& facts)
{
    BlockEntry entry;
    entry.node = facts.node;
    if (facts.node.count > 1) {
        entry.offset = offset;
        entry.length = static_cast<std::uint32_t>(bytes.size());
        entry.hash = static_cast<std::uint32_t>(XXH3_64bits(bytes.data(), bytes.size()));
    }
    entry.track = track;
    entry.times = m_times.size();
    putTimes(m_times, facts);
    Times times;
    forEachState(facts.node.mask, [&](std::size_t state) { times[state] = facts.times[state].total; });
    entry.firstShare = addShares(times, facts.node);
    m_entries.push_back(entry);
}

std::uint32_t BlockIndex::addShares(const Times& times, const LevelNode& node)
{
    const std::size_t first = m_shares.size();
    m_shares.resize(first + static_cast<std::size_t>(std::popcount(node.mask)));
    roundShares(times.data(), node.mask, static_cast<double>(node.length()), m_shares.data() + first);
    return static_cast<std::uint32_t>(first);
}

void BlockIndex::addTimes(const BlockEntry& entry, StateTimes& sums) const
{
    ByteReader in(m_times.bytes().subspan(entry.times));
    readTimes(in, entry.node, [&](std::size_t state, const StateTime& time) { sums[state].add(time); });
}

void BlockIndex::complete(std::size_t trackCount)
{
    groupByTrack(trackCount);
    for (TrackBlocks& track : m_tracks)
        buildLevels(track);
}

void BlockIndex::groupByTrack(std::size_t trackCount)
{
    m_tracks.assign(trackCount, {});
    for (const BlockEntry& entry : m_entries)
        ++m_tracks[entry.track].count;
    std::vector<std::uint32_t> next(trackCount);
    std::uint32_t first = 0;
    for (std::size_t track = 0; track < trackCount; ++track) {
        m_tracks[track].first = next[track] = first;
        first += m_tracks[track].count;
    }
    if (std::is_sorted(m_entries.begin(), m_entries.end(), [](const BlockEntry& a, const BlockEntry& b) { return a.track < b.track; }))
        return;
    std::vector<BlockEntry> sorted(m_entries.size());
    for (const BlockEntry& entry : m_entries)
        sorted[next[entry.track]++] = entry;
    m_entries = std::move(sorted);
}

std::size_t BlockIndex::nodesAt(const TrackBlocks& track, unsigned level)
{
    std::size_t count = track.count;
    for (; level > 0; --level)
        count = (count + format::LevelFanOut - 1) / format::LevelFanOut;
    return count;
}

void BlockIndex::buildLevels(TrackBlocks& track)
{
    track.levels = 0;
    while (nodesAt(track, track.levels) > 1) {
        ++track.levels;
        track.levelStart[track.levels - 1] = static_cast<std::uint32_t>(m_upper.size());
        m_upper.resize(m_upper.size() + nodesAt(track, track.levels));
    }
    Times sums{};
    if (track.levels > 0)
        buildNode(track, track.levels, 0, sums);
}

void BlockIndex::buildNode(const TrackBlocks& track, unsigned level, std::size_t i, Times& sums)
{
    const std::size_t end = std::min((i + 1) * format::LevelFanOut, nodesAt(track, level - 1));
    Times own{};
    LevelNode node;
    for (std::size_t child = i * format::LevelFanOut; child < end; ++child) {
        if (level > 1) {
            buildNode(track, level - 1, child, own);
        } else {
            const BlockEntry& entry = m_entries[track.first + child];
            ByteReader in(m_times.bytes().subspan(entry.times));
            readTimes(in, entry.node, [&](std::size_t state, const StateTime& time) { own[state] += time.total; });
        }
        const LevelNode& below = *nodeAt(track, level - 1, child).node;
        node.append(below);
    }
    forEachState(node.mask, [&](std::size_t state) { sums[state] += own[state]; });
    const std::uint32_t firstShare = addShares(own, node);
    m_upper[track.levelStart[level - 1] + i] = {node, firstShare};
}

void BlockIndex::write(ByteWriter& out) const
{
    const std::int64_t base = m_entries.empty() ? 0 : m_entries.front().node.begin;
    std::uint64_t offset = 0;
    out.putSigned(base);
    for (const TrackBlocks& track : m_tracks) {
        out.put(track.count);
        std::int64_t time = base;
        for (std::size_t i = track.first; i < track.first + track.count; ++i) {
            const BlockEntry& entry = m_entries[i];
            const LevelNode& node = entry.node;
            out.putSigned(node.begin - time);
            out.put(static_cast<std::uint64_t>(node.length()));
            out.put(std::uint64_t(node.count) << 1 | node.hasGap);
            out.putByte(static_cast<std::uint8_t>(node.state));
            out.put(node.value);
            time = node.end;
            if (node.count == 1)
                continue;
            out.put(entry.length);
            out.putSigned(static_cast<std::int64_t>(entry.offset - offset));
            out.putFixed32(entry.hash);
            out.put(static_cast<std::uint64_t>(node.longest));
            out.put(node.mask);
            BlockFacts facts{node, {}};
            addTimes(entry, facts.times);
            putTimes(out, facts);
            offset = entry.offset + entry.length;
        }
    }
}

bool BlockIndex::readEntry(ByteReader& in, BlockEntry& entry)
{
    LevelNode& node = entry.node;
    const std::uint64_t offset = entry.offset + entry.length; // of the block before
    node.begin = static_cast<std::int64_t>(static_cast<std::uint64_t>(node.end) + static_cast<std::uint64_t>(in.getSigned()));
    bool isGood = node.begin >= -TimeLimit && node.begin <= TimeLimit;
    node.end = node.begin + getLength(in, TimeLimit - node.begin, isGood);
    const std::uint64_t count = in.get();
    node.hasGap = count & 1;
    node.count = static_cast<std::uint32_t>(count >> 1);
    node.state = State(static_cast<std::uint8_t>(in.getByte() % 32));
    node.value = in.get32();
    node.longest = node.length();
    node.mask = 1u << static_cast<unsigned>(node.state);
    isGood = isGood && count >> 1 >= 1 && count >> 1 <= format::BlockItems && node.end > node.begin;
    if (node.count > 1) {
        entry.length = in.get32();
        entry.offset = offset + static_cast<std::uint64_t>(in.getSigned());
        entry.hash = in.getFixed32();
        node.longest = getLength(in, node.length(), isGood);
        node.mask = in.get32();
        isGood = isGood && (node.mask >> static_cast<unsigned>(node.state) & 1);
    }
    return isGood && !in.hasFailed() && !(node.count == 1 && node.hasGap);
}

std::optional<BlockIndex> BlockIndex::read(ByteReader in, std::size_t trackCount, std::uint64_t dataBegin, std::uint64_t dataEnd)
{
    BlockIndex index;
    index.m_tracks.resize(trackCount);
    const std::int64_t base = in.getSigned();
    BlockEntry before;
    for (std::uint32_t track = 0; track < trackCount; ++track) {
        const std::size_t count = in.getCount(5);
        BlockEntry entry = before;
        entry.track = track;
        entry.node.end = limitedTime(base);
        for (std::size_t i = 0; i < count; ++i) {
            const std::int64_t end = entry.node.end;
            if (!index.readEntry(in, entry) || (i > 0 && entry.node.begin < end) || index.m_shares.size() > MaxShares)
                return {};
            BlockEntry stored = entry;
            if (entry.node.count == 1)
                stored.offset = stored.length = stored.hash = 0;
            else if (entry.offset < dataBegin || entry.offset > dataEnd || entry.length == 0 || entry.length > dataEnd - entry.offset)
                return {};
            stored.times = index.m_times.size();
            const std::byte* times = in.position();
            Times totals{};
            if (!readTimes(in, entry.node, [&](std::size_t state, const StateTime& time) { totals[state] = time.total; }))
                return {};
            index.m_times.append({times, in.position()});
            stored.firstShare = index.addShares(totals, entry.node);
            index.m_entries.push_back(stored);
        }
        before = entry;
    }
    if (!in.isAtEnd())
        return {};
    index.complete(trackCount);
    return index;
}

} // namespace helio
