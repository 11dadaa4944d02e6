#include "core/store/intervals/block_batch.h"

#include "core/store/intervals/block_directory.h"
#include "core/store/links/link_directory.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace helio {
namespace {

constexpr std::size_t CacheLine = 64; ///< Size of a cache line in bytes on common processors.

} // namespace

void encodeBlock(BlockEncoder& encoder, std::uint32_t track, std::span<const Boundary> items, ByteWriter& bytes, ByteWriter& records)
{
    BlockSummary facts;
    const auto encoded = encoder.encode(items, facts);
    putRecord(track, encoded, facts, records);
    if (facts.node.count > 1) // A single interval needs no block, because its directory entry describes it completely.
        bytes.append(encoded);
}

void BlockBatch::addBlock(std::uint32_t track, std::span<const Boundary> items)
{
    m_items.insert(m_items.end(), items.begin(), items.end());
    m_batchBlocks.push_back({track, static_cast<std::uint32_t>(items.size()), 0});
    m_size += items.size_bytes();
}

void BlockBatch::addBlocks(std::uint32_t track, std::span<const std::span<const Boundary>> blocks, std::unique_ptr<Boundary[]> room)
{
    m_buffers.push_back(std::move(room));
    for (const auto& items : blocks) {
        m_batchBlocks.push_back({track, static_cast<std::uint32_t>(items.size()), 0, items.data()});
        m_size += items.size_bytes();
    }
}

std::unique_ptr<Boundary[]> BlockBatch::takeBuffer()
{
    if (m_spare.empty())
        return std::make_unique_for_overwrite<Boundary[]>(MostBoundaries);
    auto room = std::move(m_spare.back());
    m_spare.pop_back();
    // Write to each cache line of the buffer. The lines are in the caches of the core that encoded the earlier block; fetching all of
    // them now is faster than one by one later, when boundaries are added.
    for (std::size_t i = 0; i < MostBoundaries; i += CacheLine / sizeof(Boundary))
        room[i].begin = 0;
    return room;
}

void BlockBatch::addLinks(std::span<const Link> links)
{
    m_links.insert(m_links.end(), links.begin(), links.end());
    m_batchBlocks.push_back({0, 0, static_cast<std::uint32_t>(links.size())});
    m_size += links.size_bytes();
}

void BlockBatch::encode(BlockEncoders& encoders)
{
    std::span<const Boundary> items = m_items;
    std::span<const Link> links = m_links;
    for (BatchBlock& block : m_batchBlocks) {
        const std::size_t bytes = m_bytes.size();
        const std::size_t records = m_records.size();
        if (block.itemsInBuffer)
            encodeBlock(encoders.intervals, block.track, {block.itemsInBuffer, block.items}, m_bytes, m_records);
        else if (block.items > 0)
            encodeBlock(encoders.intervals, block.track, taken(items, block.items), m_bytes, m_records);
        else
            encodeLinks(encoders.links, taken(links, block.links));
        block.bytes = static_cast<std::uint32_t>(m_bytes.size() - bytes);
        block.recordBytes = static_cast<std::uint32_t>(m_records.size() - records);
    }
}

void BlockBatch::encodeLinks(LinkEncoder& encoder, std::span<const Link> links)
{
    const LinkEncoder::Encoded encoded = encoder.encode(links);
    m_linkRecord.clear();
    putLinkRecord(encoded, 0, m_linkRecord);
    m_records.append(m_linkRecord);
    m_bytes.append(encoded.bytes);
}

void BlockBatch::clear()
{
    m_batchBlocks.clear();
    std::ranges::move(m_buffers, std::back_inserter(m_spare));
    m_buffers.clear();
    m_size = 0;
    m_items.clear();
    m_links.clear();
    m_bytes.clear();
    m_records.clear();
}

} // namespace helio
