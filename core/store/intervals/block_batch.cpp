#include "core/store/intervals/block_batch.h"

#include "core/store/intervals/block_directory.h"
#include "core/store/links/link_directory.h"

namespace helio {

void encodeBlock(BlockEncoder& encoder, std::uint32_t track, std::span<const Boundary> items, ByteWriter& bytes, ByteWriter& records)
{
    BlockFacts facts;
    const auto encoded = encoder.encode(items, facts);
    putRecord(track, encoded, facts, records);
    if (facts.node.count > 1) // of a single one the directory says it all
        bytes.append(encoded);
}

void BlockBatch::addBlock(std::uint32_t track, std::span<const Boundary> items)
{
    m_items.insert(m_items.end(), items.begin(), items.end());
    m_pieces.push_back({track, static_cast<std::uint32_t>(items.size()), 0});
}

void BlockBatch::addLinks(std::span<const Link> links)
{
    m_links.insert(m_links.end(), links.begin(), links.end());
    m_pieces.push_back({0, 0, static_cast<std::uint32_t>(links.size())});
}

void BlockBatch::encode(BlockEncoders& encoders)
{
    std::span<const Boundary> items = m_items;
    std::span<const Link> links = m_links;
    for (Piece& piece : m_pieces) {
        const std::size_t bytes = m_bytes.size();
        const std::size_t records = m_records.size();
        if (piece.items > 0)
            encodeBlock(encoders.intervals, piece.track, taken(items, piece.items), m_bytes, m_records);
        else
            encodeLinks(encoders.links, taken(links, piece.links));
        piece.bytes = static_cast<std::uint32_t>(m_bytes.size() - bytes);
        piece.recordBytes = static_cast<std::uint32_t>(m_records.size() - records);
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
    m_pieces.clear();
    m_items.clear();
    m_links.clear();
    m_bytes.clear();
    m_records.clear();
}

} // namespace helio
