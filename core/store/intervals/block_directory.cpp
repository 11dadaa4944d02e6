#include "core/store/intervals/block_directory.h"

#include "core/store/file/xxh3.h"
#include "core/store/intervals/state_times.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>

namespace helio {
namespace {

template <typename Value> std::span<const std::byte> bytesOf(const Value& value) { return std::as_bytes(std::span(&value, 1)); }

} // namespace

void putRecord(std::uint32_t track, std::span<const std::byte> bytes, const BlockSummary& facts, ByteWriter& out)
{
    BlockRecord record;
    record.entry.node = facts.node;
    record.track = track;
    if (facts.node.count > 1) {
        record.entry.length = static_cast<std::uint32_t>(bytes.size());
        record.entry.hash = static_cast<std::uint32_t>(XXH3_64bits(bytes.data(), bytes.size()));
    }
    std::array<std::int64_t, 32> totals;
    forEachState(facts.node.mask, [&](std::size_t state) { totals[state] = facts.times[state].total; });
    std::array<std::uint8_t, 32> shares;
    const std::uint8_t* const end = roundShares(totals.data(), facts.node.mask, static_cast<double>(facts.node.length()), shares.data());

    const std::size_t at = out.size();
    out.append(bytesOf(record));
    out.append(std::as_bytes(std::span<const std::uint8_t>(shares.data(), end)));
    putTimes(facts, out);
    record.moreBytes = static_cast<std::uint32_t>(out.size() - at - sizeof record);
    out.replace(at, bytesOf(record));
}

BlockDirectory::BlockDirectory(const FileBytes& records, std::size_t trackCount)
    : m_records(records)
    , m_counts(trackCount)
{
    sortByTrack();
    std::uint64_t nodes = 0;
    const auto tracks = BlockIndex::layOut(m_counts, nodes);
    m_levels.resize(nodes);
    for (const std::uint64_t offset : m_order)
        m_blockShares += static_cast<std::uint64_t>(std::popcount(record(offset).entry.node.mask));
    for (const BlockIndex::TrackBlocks& track : tracks)
        buildLevels(track);
}

BlockRecord BlockDirectory::record(std::uint64_t offset) const
{
    BlockRecord record;
    std::memcpy(&record, m_records.at(offset), sizeof record);
    return record;
}

std::span<const std::byte> BlockDirectory::sharesOf(std::uint64_t offset, const BlockRecord& record) const
{
    return {m_records.at(offset) + sizeof record, static_cast<std::size_t>(std::popcount(record.entry.node.mask))};
}

std::span<const std::byte> BlockDirectory::timesOf(std::uint64_t offset, const BlockRecord& record) const
{
    const auto shares = sharesOf(offset, record);
    return {shares.data() + shares.size(), record.moreBytes - shares.size()};
}

void BlockDirectory::sortByTrack()
{
    const std::uint64_t size = m_records.size();
    const auto forEach = [&](auto visit) {
        for (std::uint64_t at = 0; at < size;) {
            const BlockRecord one = record(at);
            visit(one.track, at);
            at += sizeof one + one.moreBytes;
        }
    };
    std::uint64_t blocks = 0;
    forEach([&](std::uint32_t track, std::uint64_t) {
        ++m_counts[track];
        ++blocks;
    });
    std::vector<std::uint64_t> next(m_counts.size());
    std::uint64_t first = 0;
    for (std::size_t track = 0; track < m_counts.size(); ++track) {
        next[track] = first;
        first += m_counts[track];
    }
    m_order.resize(blocks);
    forEach([&](std::uint32_t track, std::uint64_t at) { m_order[next[track]++] = at; });
}

void BlockDirectory::buildLevels(const BlockIndex::TrackBlocks& track)
{
    Totals sums{};
    if (track.levels > 0)
        buildNode(track, track.levels, 0, sums);
}

/// Builds a node and all nodes below it. Adds the exact times of the node to `sums`, so that rounding errors of the shares do not
/// accumulate.
LevelNode BlockDirectory::buildNode(const BlockIndex::TrackBlocks& track, unsigned level, std::size_t i, Totals& sums)
{
    if (level == 0)
        return readBlock(m_order[track.first + i], sums);
    const std::size_t end = std::min((i + 1) * format::LevelFanOut, BlockIndex::nodesAt(track, level - 1));
    Totals own{};
    LevelNode node;
    for (std::size_t child = i * format::LevelFanOut; child < end; ++child)
        node.append(buildNode(track, level - 1, child, own));
    forEachState(node.mask, [&](std::size_t state) { sums[state] += own[state]; });
    m_levels[track.levelStart[level - 1] + i] = {node, m_blockShares + m_levelShares.size()};
    std::array<std::uint8_t, 32> shares;
    const std::uint8_t* const last = roundShares(own.data(), node.mask, static_cast<double>(node.length()), shares.data());
    m_levelShares.insert(m_levelShares.end(), static_cast<const std::uint8_t*>(shares.data()), last);
    return node;
}

LevelNode BlockDirectory::readBlock(std::uint64_t offset, Totals& sums) const
{
    const BlockRecord block = record(offset);
    ByteReader in(timesOf(offset, block));
    readTimes(in, block.entry.node, [&](std::size_t state, const StateTime& time) { sums[state] += time.total; });
    return block.entry.node;
}

void BlockDirectory::writeCounts(const Out& out) const { out(std::as_bytes(std::span(m_counts))); }

void BlockDirectory::writeBlocks(const Out& out) const
{
    std::uint64_t shares = 0;
    std::uint64_t times = 0;
    for (const std::uint64_t offset : m_order) {
        const BlockRecord block = record(offset);
        BlockEntry entry = block.entry;
        entry.firstShare = shares;
        entry.times = times;
        shares += sharesOf(offset, block).size();
        times += timesOf(offset, block).size();
        out(bytesOf(entry));
    }
}

void BlockDirectory::writeLevels(const Out& out) const { out(std::as_bytes(std::span(m_levels))); }

void BlockDirectory::writeShares(const Out& out) const
{
    for (const std::uint64_t offset : m_order)
        out(sharesOf(offset, record(offset)));
    out(std::as_bytes(std::span(m_levelShares)));
}

void BlockDirectory::writeTimes(const Out& out) const
{
    for (const std::uint64_t offset : m_order)
        out(timesOf(offset, record(offset)));
}

DirectoryBytes BlockDirectory::inMemory() const
{
    const auto sections = std::make_shared<std::array<ByteWriter, 5>>();
    auto& [counts, blocks, levels, shares, times] = *sections;
    const auto to = [](ByteWriter& out) { return [&out](std::span<const std::byte> bytes) { out.append(bytes); }; };
    writeCounts(to(counts));
    writeBlocks(to(blocks));
    writeLevels(to(levels));
    writeShares(to(shares));
    writeTimes(to(times));
    return {counts.bytes(), blocks.bytes(), levels.bytes(), shares.bytes(), times.bytes(), sections};
}

} // namespace helio
