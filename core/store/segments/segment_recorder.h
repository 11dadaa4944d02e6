#pragma once

#include "core/store/file/spool.h"
#include "core/store/file/verified_bytes.h"
#include "core/store/segments.h"
#include "core/store/segments/segment_blocks.h"
#include "core/store/segments/segment_sorter.h"

#include <cstdint>
#include <future>
#include <memory>
#include <vector>

namespace helio {

/// The kinds of segments of a sink, each id once.
class SegmentKinds {
public:
    /// Implements SegmentSink::addKind().
    Result<SegmentKindId> add(const SegmentKind& kind);
    const std::vector<SegmentKind>& all() const { return m_all; }

private:
    std::vector<SegmentKind> m_all;
};

/// Collects the segments of a store that is being built. The segments of a kind are collected until they are many, then sorted and written
/// to a file as blocks. A segment that begins before the last segment of the previous blocks (a long one, because segments
/// come in the order of their ends) goes to a separate block, so that all other blocks follow each other in time.
///
/// Threads: to be used by one thread.
/// Cost: memory for at most 128 Ki segments of 40 bytes, 32 Ki more of three times that size for sorting, 72 bytes per block, and 1 MB of
/// blocks.
/// Errors: if the file fails, the blocks stay in memory. Out of memory may be thrown by a later call.
class SegmentRecorder final : public SegmentSink {
public:
    using Out = Spool::Out;

    /// If `isParallel`, a separate thread sorts and writes while further segments are added. The file is the same.
    explicit SegmentRecorder(Spool::MakeFile makeFile, bool isParallel = false)
        : m_isParallel(isParallel)
        , m_data(std::move(makeFile))
    {
    }

    Result<SegmentKindId> addKind(const SegmentKind& kind) override;
    void add(const HostSegment& segment) override;

    bool isEmpty() const { return m_kinds.all().empty(); }

    /// Returns the segments so far; nullptr if there are no kinds. `tracks` is the number of tracks.
    std::shared_ptr<const SegmentSet> picture(std::size_t tracks) const;

    /// Closes all blocks and builds the levels. No segments may be added afterwards. Must be called before the write functions.
    void finish();

    void writeKinds(const Out& out) const;
    void writeBlocks(const Out& out) const;
    void writeLevels(const Out& out) const;
    void writeData(const Out& out) const { m_data.copyTo(out); }

private:
    /// Segments and blocks of one kind.
    struct KindData {
        std::vector<HostSegment> open; ///< Segments of the next blocks.
        HostTimestamp lastBegin = HostTimestamp::min(); ///< Latest begin of a segment in `blocks`.
        std::vector<SegmentEntry> blocks;
        std::vector<SegmentEntry> levels; ///< Filled by finish().
    };

    void close(KindData& own);
    void closeAll();
    void awaitClosed() const;
    void writeBlocksOf(KindData& own);
    SegmentEntry written(SegmentEntry entry, std::span<const std::byte> bytes);
    SegmentEntry summedUp(std::span<const SegmentEntry> below);
    static std::vector<SegmentEntry> blocksOf(const KindData& own, FileBytes& data);

    const bool m_isParallel;
    SegmentKinds m_kinds;
    std::vector<KindData> m_kindData; ///< Indexed by kind.
    std::size_t m_openCount = 0;
    std::vector<HostSegment> m_spare; ///< An empty vector; its memory is reused for the next open segments.
    /// Segments that are being turned into blocks. Until awaitClosed(), this and the members below it belong to the thread that does so.
    std::vector<HostSegment> m_closing;
    SegmentSorter m_sorter;
    Spool m_data; ///< Bytes of the blocks, then of the levels.
    VerifiedBytes m_written; ///< Bytes of m_data when a block was last read back.
    mutable std::future<void> m_closed; ///< Declared last: its thread must end before the other members are destroyed.
};

} // namespace helio
