#pragma once

#include "core/store/segments/segment_blocks.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace helio {

/// Hands out the segments of blocks in order, although blocks may overlap each other in time.
/// Cost: memory for the blocks that overlap one moment.
class SegmentMerge {
public:
    /// Replaces `out` by the wanted segments of a block, in order.
    using Load = std::function<void(const SegmentEntry& block, std::vector<HostSegment>& out)>;

    /// `blocks` must be sorted by first begin.
    SegmentMerge(std::vector<const SegmentEntry*> blocks, Load load)
        : m_blocks(std::move(blocks))
        , m_load(std::move(load))
    {
    }

    /// Replaces `part` by the next chunk of at least one segment. Returns false at the end.
    bool next(std::vector<HostSegment>& part);

private:
    /// A loaded block with the index of its next segment.
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
    std::vector<Open> m_open; ///< A heap of the loaded blocks; the block with the earliest next segment is in front.
};

} // namespace helio
