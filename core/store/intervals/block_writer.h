#pragma once

#include "core/store/file/temporary_file.h"
#include "core/store/intervals/block_batch.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace helio {

/// Encodes blocks of intervals and links and writes them to the data section of a store. The directory records are written to files of
/// their own, so that memory does not grow with the trace.
///
/// Threads: to be used by one thread at a time.
/// Errors: stored in the files; status() returns the first one.
class BlockWriter {
public:
    struct Files {
        std::unique_ptr<TemporaryFile> data;
        std::unique_ptr<TemporaryFile> records; ///< Directory records of the blocks of intervals.
        std::unique_ptr<TemporaryFile> linkRecords;
    };

    explicit BlockWriter(Files files)
        : m_files(std::move(files))
    {
        // Reserve all memory at once. A growing buffer would be copied several times and touch twice as much memory in total.
        m_waitingData.reserve(WaitingBytes + WaitingBytes / 16);
    }

    /// Encodes and adds a block. Requires: `items` as for BlockEncoder::encode().
    void addBlock(std::uint32_t track, std::span<const Boundary> items);
    /// Encodes and adds a block. Requires: `links` as for LinkEncoder::encode().
    void addLinks(std::span<const Link> links);
    /// Adds encoded blocks. The files are the same as if each block was added separately.
    void add(const BlockBatch& batch);

    /// Writes all blocks that wait in memory to the files.
    void writeWaiting();

    TemporaryFile& data() { return *m_files.data; }
    FileBytes records() const { return m_files.records->contents(); }
    FileBytes linkRecords() const { return m_files.linkRecords->contents(); }
    /// Returns the first error of any of the files.
    const Status& status() const;

    /// A readable copy of everything that was added: blocks, their records and link records. Blocks can be added to the copy without
    /// changing the original.
    struct Picture {
        FileBytes data;
        FileBytes records;
        FileBytes linkRecords;
    };
    Picture picture() const;
    void addBlock(Picture& picture, std::uint32_t track, std::span<const Boundary> items);
    void addLinks(Picture& picture, std::span<const Link> links);

private:
    static constexpr std::size_t WaitingBytes = std::size_t(4) << 20;

    /// A block that waits in memory to be written.
    struct Waiting {
        std::uint32_t track;
        std::uint64_t offset; ///< Offset of the block in m_waitingData.
        std::uint64_t record; ///< Offset of the block's directory record in m_waitingRecords.
    };

    void beginBlock(std::uint32_t track);
    void writeIfFull();
    void appendLinks(std::span<const std::byte> bytes);

    Files m_files;
    BlockEncoders m_encoders;
    std::vector<Waiting> m_waiting;
    ByteWriter m_waitingData;
    ByteWriter m_waitingRecords;
    std::vector<std::byte> m_linkRecord; ///< Reused buffer for the directory record of a block of links.
};

} // namespace helio
