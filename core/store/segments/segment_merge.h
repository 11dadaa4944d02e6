#pragma once

#include "core/store/segments/segment_blocks.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace helio {

/// Iterates over the segments of blocks in order, although blocks may overlap each other in time.
/// Cost: memory for the blocks that overlap at one time.
class SegmentMerge {
public:
    /// Function that loads the requested segments of a block into `out`, in order.
    using Load = std::function<void(const SegmentEntry& block, std::vector<HostSegment>& out)>;

    /// Requires: `blocks` are sorted by first begin.
    SegmentMerge(std::vector<const SegmentEntry*> blocks, Load load)
        : m_blocks(std::move(blocks))
        , m_load(std::move(load))
    {
    }

    /// Moves the next chunk of at least one segment to `part`. Returns false at the end.
    bool next(std::vector<HostSegment>& part);

private:
    /// A loaded block and the index of its next segment.
    struct Open {
        std::vector<HostSegment> segments;
        std::size_t at = 0;
        const HostSegment& front() const { return segments[at]; }
    };
    static bool isLater(const Open& a, const Open& b);
    void openAllUntil(HostTimestamp begin);
    void openNext();
    void takeFront(std::vector<HostSegment>& part);

    std::vector<const SegmentEntry*> m_blocks;
    Load m_load;
    std::size_t m_next = 0; ///< Index of the first block that is not loaded yet.
    std::vector<Open> m_open; ///< Heap of the loaded blocks; the block with the earliest next segment is in front.
};

} // namespace helio
