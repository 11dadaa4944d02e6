#pragma once

#include "core/store/boundary.h"
#include "core/store/file/byte_codec.h"
#include "core/store/intervals/block_encoder.h"
#include "core/store/links/link_encoder.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace helio {

/// Number of a track's latest boundaries that stay in its buffer when a block is passed on, because the caller may still change them.
constexpr std::size_t KeptBoundaries = 17;
/// Capacity of a track's buffer of boundaries. When the buffer is full, its first block is passed on to be encoded and written.
constexpr std::size_t MostBoundaries = format::BlockItems + KeptBoundaries;

/// Encoders of one thread, reused so that their scratch memory is allocated only once.
struct BlockEncoders {
    BlockEncoder intervals;
    LinkEncoder links;
};

/// Encodes a block. Appends its bytes to `bytes` (none if the block is a single interval) and its directory record to `records`.
void encodeBlock(BlockEncoder& encoder, std::uint32_t track, std::span<const Boundary> items, ByteWriter& bytes, ByteWriter& records);

/// Batch of blocks. One thread collects the blocks, a second thread encodes them, and a third thread writes them. The blocks keep their
/// order. clear() keeps the allocated memory.
///
/// Threads: to be used by one thread at a time.
class BlockBatch {
public:
    /// An encoded block. The file offset in its directory record is not set yet.
    struct Encoded {
        std::uint32_t track; ///< Track of the block; unused if isLinks.
        bool isLinks;
        std::span<const std::byte> bytes;
        std::span<const std::byte> record;
    };

    void addBlock(std::uint32_t track, std::span<const Boundary> items);
    /// Adds blocks that are in the buffer `room`, without copying them. Ownership: `room` then belongs to the batch.
    void addBlocks(std::uint32_t track, std::span<const std::span<const Boundary>> blocks, std::unique_ptr<Boundary[]> room);
    /// Returns a buffer for MostBoundaries boundaries, reused from an earlier batch if possible.
    std::unique_ptr<Boundary[]> takeBuffer();
    void addLinks(std::span<const Link> links);
    bool isEmpty() const { return m_batchBlocks.empty(); }
    /// True if the batch has at least 64 KB. At this size, the cost of a lock per batch is negligible, and a few batches still fit into a
    /// core's own cache.
    bool isFull() const { return m_size >= FullBytes; }

    void encode(BlockEncoders& encoders);
    /// Calls take(Encoded) for each block. Requires: encode() was called before.
    template <typename Take> void forEach(Take take) const;
    void clear();

private:
    static constexpr std::size_t FullBytes = std::size_t(64) << 10;

    struct BatchBlock {
        std::uint32_t track;
        std::uint32_t items; ///< Number of items, including the boundary that ends the last item; 0 for links.
        std::uint32_t links;
        const Boundary* itemsInBuffer = nullptr; ///< Items of the block in one of m_buffers; nullptr if the items are in m_items.
        std::uint32_t bytes = 0; ///< Size of the encoded block in bytes.
        std::uint32_t recordBytes = 0; ///< Size of the block's directory record in bytes.
    };

    /// Removes the first `count` values from `from` and returns them.
    template <typename Value> static std::span<const Value> taken(std::span<const Value>& from, std::size_t count)
    {
        const auto part = from.first(count);
        from = from.subspan(count);
        return part;
    }
    void encodeLinks(LinkEncoder& encoder, std::span<const Link> links);

    std::vector<BatchBlock> m_batchBlocks;
    /// Items of all blocks that are not in a buffer of m_buffers, block after block.
    std::vector<Boundary> m_items;
    std::vector<std::unique_ptr<Boundary[]>> m_buffers; ///< Buffers that contain blocks of this batch.
    std::vector<std::unique_ptr<Boundary[]>> m_spare; ///< Free buffers, for takeBuffer().
    std::vector<Link> m_links;
    ByteWriter m_bytes;
    ByteWriter m_records;
    std::size_t m_size = 0; ///< Bytes of the blocks and links that were added.
    std::vector<std::byte> m_linkRecord; ///< Reused buffer for the directory record of a block of links.
};

template <typename Take> void BlockBatch::forEach(Take take) const
{
    std::span<const std::byte> bytes = m_bytes.bytes();
    std::span<const std::byte> records = m_records.bytes();
    for (const BatchBlock& block : m_batchBlocks)
        take(Encoded{block.track, block.items == 0, taken(bytes, block.bytes), taken(records, block.recordBytes)});
}

} // namespace helio
