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

/// So many of a track's last boundaries are kept when a block is handed over: what may yet be changed is its end.
constexpr std::size_t KeptBoundaries = 17;
/// As many as a row ever holds: then its first block is handed over.
constexpr std::size_t MostBoundaries = format::BlockItems + KeptBoundaries;

/// What a thread encodes blocks with. Keeps its scratch memory from one to the next.
struct BlockEncoders {
    BlockEncoder intervals;
    LinkEncoder links;
};

/// Appends the block's bytes to `bytes`, none where it has a single interval, and its record to `records`.
void encodeBlock(BlockEncoder& encoder, std::uint32_t track, std::span<const Boundary> items, ByteWriter& bytes, ByteWriter& records);

/// Blocks that one thread collects, another one encodes and a third one writes. They keep their order. Clearing it keeps its memory.
///
/// Threads: one at a time.
class BlockBatch {
public:
    /// A block as a store keeps it. Its record lacks the place.
    struct Encoded {
        std::uint32_t track; ///< Meaningless where it `isLinks`.
        bool isLinks;
        std::span<const std::byte> bytes;
        std::span<const std::byte> record;
    };

    void addBlock(std::uint32_t track, std::span<const Boundary> items);
    /// Blocks that lie in `room`, which is the batch's from then on: nothing is copied.
    void addBlocks(std::uint32_t track, std::span<const std::span<const Boundary>> blocks, std::unique_ptr<Boundary[]> room);
    /// For MostBoundaries: some of what earlier batches held, if there is any.
    std::unique_ptr<Boundary[]> takeRoom();
    void addLinks(std::span<const Link> links);
    bool isEmpty() const { return m_pieces.empty(); }
    /// It holds 64 KB: a lock costs nothing beside encoding so much, and a few of them fit into a core's own cache.
    bool isFull() const { return m_size >= FullBytes; }

    void encode(BlockEncoders& encoders);
    /// Calls take(Encoded) for each block. Requires: they are encoded.
    template <typename Take> void forEach(Take take) const;
    void clear();

private:
    static constexpr std::size_t FullBytes = std::size_t(64) << 10;

    struct Piece {
        std::uint32_t track;
        std::uint32_t items; ///< And the boundary that ends the last one. 0: links.
        std::uint32_t links;
        const Boundary* inRoom = nullptr; ///< Where the items are; null: in m_items.
        std::uint32_t bytes = 0; ///< Of the encoded block...
        std::uint32_t recordBytes = 0; ///< ...and of its record.
    };

    /// The first `count`, which `from` then begins behind.
    template <typename Value> static std::span<const Value> taken(std::span<const Value>& from, std::size_t count)
    {
        const auto part = from.first(count);
        from = from.subspan(count);
        return part;
    }
    void encodeLinks(LinkEncoder& encoder, std::span<const Link> links);

    std::vector<Piece> m_pieces;
    std::vector<Boundary> m_items; ///< Of all pieces that are in no room, one after the other, as the rest.
    std::vector<std::unique_ptr<Boundary[]>> m_rooms; ///< That pieces lie in,
    std::vector<std::unique_ptr<Boundary[]>> m_spare; ///< and that none does any more.
    std::vector<Link> m_links;
    ByteWriter m_bytes;
    ByteWriter m_records;
    std::size_t m_size = 0; ///< Bytes of what was added.
    std::vector<std::byte> m_linkRecord; ///< Scratch.
};

template <typename Take> void BlockBatch::forEach(Take take) const
{
    std::span<const std::byte> bytes = m_bytes.bytes();
    std::span<const std::byte> records = m_records.bytes();
    for (const Piece& piece : m_pieces)
        take(Encoded{piece.track, piece.items == 0, taken(bytes, piece.bytes), taken(records, piece.recordBytes)});
}

} // namespace helio
