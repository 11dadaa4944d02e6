#pragma once

#include "core/store/intervals/block_data.h"
#include "core/store/intervals/block_reader.h"
#include "core/store/intervals/span_fold.h"

#include <stop_token>

namespace helio {

/// One level-of-detail query: descends from the top level of a track and stops at nodes that fit into one bucket completely.
///
/// Whether a node is added completely, and to which bucket, depends only on the node and the resolution. A node that crosses the time
/// range's edge is added in parts, to the bucket of the complete node. Panning therefore changes only the spans at the edges.
class SpanWalk {
public:
    SpanWalk(const BlockData& data, std::uint32_t track, SpanFold& fold, std::stop_token stop);

    /// Adds everything inside the time range to the fold. The caller then calls SpanFold::finish().
    void run();

private:
    static constexpr std::int64_t NoBucket = INT64_MAX;
    static constexpr std::int64_t Taken = INT64_MIN;

    /// Returns the bucket to which the complete node may be added; NoBucket if no bucket fits.
    std::int64_t bucketFor(const LevelNode& node)
    {
        const std::int64_t length = node.length();
        if (length > m_maxNodeLength || (length >= m_fold.resolution() && (node.longest >= m_fold.resolution() || node.hasGap)))
            return NoBucket;
        std::int64_t bucketEnd = m_fold.bucketEndOf(node.begin);
        if (node.end <= bucketEnd + m_overhang)
            return bucketEnd;
        if (node.begin < bucketEnd - m_overhang)
            return NoBucket;
        bucketEnd += m_fold.resolution();
        return node.end <= bucketEnd + m_overhang ? bucketEnd : NoBucket;
    }
    bool isInside(const LevelNode& node) const { return node.begin >= m_begin && node.end <= m_end; }

    void visit(unsigned level, std::size_t i, std::int64_t forced);
    void visitBlock(const BlockEntry& block, std::int64_t forced);
    /// Adds the node, a part of a block, to a bucket if the complete node fits into one bucket. `forced`: bucket of the enclosing
    /// node; NoBucket if each node has its own bucket.
    /// Returns Taken if nothing is left to do for the node, because it was added or ends before the time range. Otherwise, returns
    /// the bucket to which the caller must add the node's parts; NoBucket if each part has its own bucket.
    std::int64_t addOrFindBucket(const BlockReader::Node& node, std::int64_t forced);
    void visitStretch(BlockReader& reader, std::int64_t forced);
    void visitGroup(BlockReader& reader, std::int64_t forced);
    void add(std::int64_t begin, std::int64_t end, State state, std::uint32_t value, std::int64_t forced);

    const BlockData& m_data;
    const BlockIndex::TrackBlocks& m_track;
    SpanFold& m_fold;
    std::stop_token m_stop;
    std::int64_t m_begin;
    std::int64_t m_end;
    /// Maximum time in ns by which a node (a summary of consecutive intervals) may extend beyond each side of its bucket.
    std::int64_t m_overhang;
    std::int64_t m_maxNodeLength; ///< Maximum length in ns of a node that can be added to one bucket as a whole.
    bool m_isStopped = false;
};

} // namespace helio
