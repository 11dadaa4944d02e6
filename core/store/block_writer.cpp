#include "core/store/block_writer.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace helio {

void BlockWriter::addBlock(std::uint32_t track, std::span<const Boundary> items)
{
    BlockFacts facts;
    const auto bytes = m_encoder.encode(items, facts);
    m_blocks.add(track, m_waiting.size(), bytes, facts);
    if (facts.node.count > 1) // of a single one the directory says it all
        m_waiting.append(bytes);
    if (m_waiting.size() >= WaitingBytes)
        writeWaitingBlocks();
}

/// Blocks are written many at a time, a track's together: a picture reads long runs of one track.
void BlockWriter::writeWaitingBlocks()
{
    std::vector<std::size_t> order(m_blocks.size() - m_writtenBlocks);
    std::iota(order.begin(), order.end(), m_writtenBlocks);
    std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) { return m_blocks[a].track < m_blocks[b].track; });
    for (const std::size_t block : order) {
        const auto bytes = m_waiting.bytes().subspan(m_blocks[block].offset, m_blocks[block].length);
        if (bytes.empty())
            continue;
        m_blocks.place(block, m_file->size());
        m_file->append(bytes);
    }
    m_writtenBlocks = m_blocks.size();
    m_waiting.clear();
}

void BlockWriter::addLinks(std::span<const Link> links)
{
    const LinkEncoder::Encoded encoded = m_linkEncoder.encode(links);
    m_links.add(encoded.block, m_file->size(), encoded.bytes, encoded.tracks);
    m_file->append(encoded.bytes);
}

void BlockWriter::finish(std::size_t trackCount)
{
    writeWaitingBlocks();
    m_blocks.complete(trackCount);
    m_links.complete();
}

BlockWriter::Tail BlockWriter::tail() const
{
    Tail tail{m_blocks, m_links, m_file->size(), m_waiting};
    for (std::size_t block = m_writtenBlocks; block < tail.blocks.size(); ++block)
        if (tail.blocks[block].length > 0)
            tail.blocks.place(block, tail.fileEnd + tail.blocks[block].offset);
    return tail;
}

void BlockWriter::addBlock(Tail& tail, std::uint32_t track, std::span<const Boundary> items)
{
    BlockFacts facts;
    const auto bytes = m_encoder.encode(items, facts);
    tail.blocks.add(track, tail.fileEnd + tail.bytes.size(), bytes, facts);
    tail.bytes.append(bytes);
}

void BlockWriter::addLinks(Tail& tail, std::span<const Link> links)
{
    const LinkEncoder::Encoded encoded = m_linkEncoder.encode(links);
    tail.links.add(encoded.block, tail.fileEnd + tail.bytes.size(), encoded.bytes, encoded.tracks);
    tail.bytes.append(encoded.bytes);
}

} // namespace helio
