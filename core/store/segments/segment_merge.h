#pragma once

#include "core/store/segments/segment_blocks.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace helio {

/// Hands out the segments of blocks, which may lie across each other, in order. Memory: that of the blocks that lie across one moment.
class SegmentMerge {
public:
    /// Replaces `out` by the segments that are wanted of a block, in order.
    using Load = std::function<void(const SegmentEntry& block, std::vector<HostSegment>& out)>;

    /// `blocks` are by first begin.
    SegmentMerge(std::vector<const SegmentEntry*> blocks, Load load)
        : m_blocks(std::move(blocks))
        , m_load(std::move(load))
    {
    }

    /// Replaces `part` by the next segments, at least one. False: the end.
    bool next(std::vector<HostSegment>& part);

private:
    /// A block that was begun.
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
    std::size_t m_next = 0; ///< The first block that is not open yet.
    std::vector<Open> m_open; ///< A heap: the earliest in front.
};

} // namespace helio
