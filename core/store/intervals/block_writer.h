#pragma once

#include "core/store/file/temporary_file.h"
#include "core/store/intervals/block_batch.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace helio {

/// Encodes blocks of intervals and of links, and writes them to the data section of a store. What the directories will say of them
/// goes to files of their own, so that memory does not grow with the trace.
///
/// Threads: one at a time. Errors: are the files'.
class BlockWriter {
public:
    struct Files {
        std::unique_ptr<TemporaryFile> data;
        std::unique_ptr<TemporaryFile> records; ///< Of blocks of intervals.
        std::unique_ptr<TemporaryFile> linkRecords;
    };

    explicit BlockWriter(Files files)
        : m_files(std::move(files))
    {
        m_waitingData.reserve(WaitingBytes + WaitingBytes / 16); // growing would touch twice as much memory
    }

    /// As BlockEncoder::encode() wants them.
    void addBlock(std::uint32_t track, std::span<const Boundary> items);
    /// As LinkEncoder::encode() wants them.
    void addLinks(std::span<const Link> links);
    /// Encoded blocks: the files are the same as where each is added by itself.
    void add(const BlockBatch& batch);

    /// Everything that was added is with the files.
    void writeWaiting();

    TemporaryFile& data() { return *m_files.data; }
    FileBytes records() const { return m_files.records->contents(); }
    FileBytes linkRecords() const { return m_files.linkRecords->contents(); }
    /// Why not all is on disk.
    const Status& status() const;

    /// All that was added, to be read: blocks, their records, links. More can be added to it alone.
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

    /// A block that waits to be written.
    struct Waiting {
        std::uint32_t track;
        std::uint64_t offset; ///< In m_waitingData.
        std::uint64_t record; ///< In m_waitingRecords.
    };

    void expectBlock(std::uint32_t track);
    void writeIfMany();
    void appendLinks(std::span<const std::byte> bytes);

    Files m_files;
    BlockEncoders m_encoders;
    std::vector<Waiting> m_waiting;
    ByteWriter m_waitingData;
    ByteWriter m_waitingRecords;
    std::vector<std::byte> m_linkRecord; ///< Scratch.
};

} // namespace helio
