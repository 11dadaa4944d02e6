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

/// List of the segment kinds of a sink; ids are unique.
class SegmentKinds {
public:
    /// Adds a kind and returns its id. If a kind with this SegmentKind::id exists, returns that kind's id.
    /// Errors: Unsupported if there are too many kinds.
    Result<SegmentKindId> add(const SegmentKind& kind);
    const std::vector<SegmentKind>& all() const { return m_all; }

private:
    std::vector<SegmentKind> m_all;
};

/// Collects the segments of a store that is being built. Once a kind has many segments, they are sorted and written to a file as blocks.
/// Segments come in the order of their ends, so a long segment may start before the last segment of the previous blocks. Such a segment
/// goes to a separate block; all other blocks then follow each other in time.
///
/// Threads: to be used by one thread.
/// Cost: memory for at most 128 Ki segments of 40 bytes; for sorting, at most 32 Ki elements of 120 bytes; 72 bytes per block; and 1 MB of
/// blocks.
/// Errors: if the file fails, the blocks stay in memory. If memory runs out, a later call may throw.
class SegmentRecorder final : public SegmentSink {
public:
    using Out = Spool::Out;

    /// `isParallel`: if true, a separate thread sorts and writes while the caller adds further segments; the file is the same.
    explicit SegmentRecorder(Spool::MakeFile makeFile, bool isParallel = false)
        : m_isParallel(isParallel)
        , m_data(std::move(makeFile))
    {
    }

    Result<SegmentKindId> addKind(const SegmentKind& kind) override;
    void add(const HostSegment& segment) override;

    bool isEmpty() const { return m_kinds.all().empty(); }

    /// Returns a snapshot of the segments recorded so far; nullptr if there are no kinds, or if the blocks cannot be read back. `tracks` is
    /// the number of tracks in the store.
    std::shared_ptr<const SegmentSet> picture(std::size_t tracks) const;

    /// Closes all blocks and builds the levels. No segments may be added afterwards. Must be called before writeKinds(), writeBlocks(),
    /// writeLevels() and writeData().
    void finish();

    void writeKinds(const Out& out) const;
    void writeBlocks(const Out& out) const;
    void writeLevels(const Out& out) const;
    [[nodiscard]] bool writeData(const Out& out) const { return m_data.copyTo(out); } ///< Returns false as Spool::copyTo() does.

private:
    /// Open segments and closed blocks of one kind.
    struct KindData {
        std::vector<HostSegment> unwritten; ///< Segments that are not yet in a block.
        HostTimestamp lastBegin = HostTimestamp::min(); ///< Latest start time of the segments in `blocks`.
        std::vector<SegmentEntry> blocks;
        std::vector<SegmentEntry> levels; ///< Entries of the levels; filled by finish().
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
    std::vector<KindData> m_kindData; ///< Data of each kind, by SegmentKindId.
    std::size_t m_openCount = 0;
    std::vector<HostSegment> m_spare; ///< Vector without elements; its memory is reused for the next segments that are not in a block yet.
    /// Segments that are being written as blocks. Until awaitClosed() returns, this member and those below belong to the writing thread.
    std::vector<HostSegment> m_closing;
    SegmentSorter m_sorter;
    Spool m_data; ///< Bytes of the blocks, then of the levels.
    VerifiedBytes m_written; ///< Contents of m_data at the time of the last read. Read again when a block that was written later is needed.
    /// Completion of the writing thread. Declared last: the thread must end before the other members are destroyed.
    mutable std::future<void> m_closed;
};

} // namespace helio
