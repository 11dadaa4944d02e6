#pragma once

#include "core/store/block_encoder.h"
#include "core/store/block_index.h"
#include "core/store/link_encoder.h"
#include "core/store/link_index.h"
#include "core/store/temporary_file.h"

#include <memory>
#include <span>

namespace helio {

/// Encodes blocks of intervals and of links, and writes them to the data section of a store.
///
/// Threads: one at a time. Errors: are the file's.
class BlockWriter {
public:
    explicit BlockWriter(std::unique_ptr<TemporaryFile> file)
        : m_file(std::move(file))
    {
    }

    /// As BlockEncoder::encode() wants them.
    void addBlock(std::uint32_t track, std::span<const Boundary> items);
    /// As LinkEncoder::encode() wants them.
    void addLinks(std::span<const Link> links);

    /// Everything that was added is in the file; directories are complete.
    void finish(std::size_t trackCount);

    TemporaryFile& file() { return *m_file; }
    const BlockIndex& blocks() const { return m_blocks; }
    const LinkIndex& links() const { return m_links; }

    /// What a snapshot has beyond the file's end, with copies of the directories that know it.
    struct Tail {
        BlockIndex blocks;
        LinkIndex links;
        std::uint64_t fileEnd;
        ByteWriter bytes;
    };
    Tail tail() const;
    void addBlock(Tail& tail, std::uint32_t track, std::span<const Boundary> items);
    void addLinks(Tail& tail, std::span<const Link> links);

private:
    static constexpr std::size_t WaitingBytes = std::size_t(16) << 20;

    void writeWaitingBlocks();

    std::unique_ptr<TemporaryFile> m_file;
    BlockEncoder m_encoder;
    LinkEncoder m_linkEncoder;
    BlockIndex m_blocks;
    std::size_t m_writtenBlocks = 0; ///< Those of m_blocks that are in the file. The others wait, and their offsets count from m_waiting.
    ByteWriter m_waiting;
    LinkIndex m_links;
};

} // namespace helio
