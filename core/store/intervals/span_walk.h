#pragma once

#include "core/store/intervals/block_data.h"
#include "core/store/intervals/block_reader.h"
#include "core/store/intervals/span_fold.h"

#include <stop_token>

namespace helio {

/// One level-of-detail query: goes down from a track's highest level and stops wherever a whole node fits into a bucket.
///
/// Whether a node is taken depends on the node and the resolution alone, and so does the bucket it goes to. What lies across
/// the window's edge is added in parts, to the bucket the whole would have gone to. So panning changes nothing but the edges.
class SpanWalk {
public:
    SpanWalk(const BlockData& data, std::uint32_t track, SpanFold& fold, std::stop_token stop);

    /// Adds everything between the window's edges to the fold. The caller finishes the fold.
    void run();

private:
    static constexpr std::int64_t NoBucket = INT64_MAX;
    static constexpr std::int64_t Taken = INT64_MIN;

    /// The bucket a node may be taken whole into, or NoBucket.
    std::int64_t bucketFor(const LevelNode& node)
    {
        const std::int64_t length = node.length();
        if (length > m_longestNode || (length >= m_fold.resolution() && (node.longest >= m_fold.resolution() || node.hasGap)))
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
    /// Adds the node whole, or does nothing where it lies before the window: Taken. Else the bucket for its parts.
    std::int64_t takeOrBucket(const BlockReader::Node& node, std::int64_t forced);
    void visitStretch(BlockReader& reader, std::int64_t forced);
    void visitGroup(BlockReader& reader, std::int64_t forced);
    void add(std::int64_t begin, std::int64_t end, State state, std::uint32_t value, std::int64_t forced);

    const BlockData& m_data;
    const BlockIndex::TrackBlocks& m_track;
    SpanFold& m_fold;
    std::stop_token m_stop;
    std::int64_t m_begin;
    std::int64_t m_end;
    std::int64_t m_overhang; ///< How much of a node may stick out of its bucket.
    std::int64_t m_longestNode; ///< One that is longer fits nowhere.
    bool m_isStopped = false;
};

} // namespace helio
