#pragma once

#include "core/store/file/proven_bytes.h"
#include "core/store/file/spool.h"
#include "core/store/segments/segment_blocks.h"
#include "core/store/segments/segment_kinds.h"
#include "core/store/segments/segment_sorter.h"

#include <cstdint>
#include <future>
#include <memory>
#include <vector>

namespace helio {

/// Collects segments on the write side. Those of a kind wait until they are many, are sorted, and go as blocks to a file. The few that
/// began before the last of those before them (the long ones, as they come by their ends) have blocks of their own: all others follow each
/// other in time.
///
/// One thread. Memory: at most 128 Ki segments of 40 bytes, 32 Ki more of three times that to sort them, 72 bytes a block, a megabyte of
/// blocks. Errors: where the file fails, memory takes its place; out of memory may be thrown by a later call.
class SegmentRecorder final : public SegmentSink {
public:
    using Out = Spool::Out;

    /// `isParallel`: a thread of its own sorts and writes while more come. The bytes are the same.
    explicit SegmentRecorder(Spool::MakeFile makeFile, bool isParallel = false)
        : m_isParallel(isParallel)
        , m_data(std::move(makeFile))
    {
    }

    Result<SegmentKindId> addKind(const SegmentKind& kind) override;
    void add(const HostSegment& segment) override;

    bool isEmpty() const { return m_kinds.all().empty(); }

    /// The segments so far; null where there are no kinds. `tracks`: how many there are.
    std::shared_ptr<const SegmentSet> picture(std::size_t tracks) const;

    /// No more will come: closes all blocks and sums them up. Before the following.
    void finish();

    void writeKinds(const Out& out) const;
    void writeBlocks(const Out& out) const;
    void writeLevels(const Out& out) const;
    void writeData(const Out& out) const { m_data.copyTo(out); }

private:
    /// Of one kind.
    struct Own {
        std::vector<HostSegment> open; ///< Those of the next blocks.
        HostTimestamp lastBegin = HostTimestamp::min(); ///< Of those in blocks.
        std::vector<SegmentEntry> blocks;
        std::vector<SegmentEntry> levels; ///< Once finished.
    };

    void close(Own& own);
    void closeAll();
    void awaitClosed() const;
    void writeBlocksOf(Own& own);
    SegmentEntry written(SegmentEntry entry, std::span<const std::byte> bytes);
    SegmentEntry summedUp(std::span<const SegmentEntry> below);
    static std::vector<SegmentEntry> blocksOf(const Own& own, FileBytes& data);

    const bool m_isParallel;
    SegmentKinds m_kinds;
    std::vector<Own> m_own; ///< By kind.
    std::size_t m_openCount = 0;
    std::vector<HostSegment> m_spare; ///< Empty: memory for the next ones.
    std::vector<HostSegment> m_closing; ///< Those that become blocks. What follows is, until awaitClosed(), their thread's.
    SegmentSorter m_sorter;
    Spool m_data; ///< The bytes of blocks, then of levels.
    ProvenBytes m_written; ///< What was in it when something was last read back.
    mutable std::future<void> m_closed; ///< Last: it ends before the rest goes.
};

} // namespace helio
