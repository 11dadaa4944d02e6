#pragma once

#include "core/store/file/byte_codec.h"
#include "core/store/segments.h"

#include <array>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace helio {

constexpr std::size_t SegmentBlockSegments = 512; ///< Maximum number of segments in a block.
constexpr std::size_t MaxSegmentKinds = 255;

/// Directory entry of a block of segments of one kind, or of a node above up to 16 entries. Stored in this layout. Times are in ns.
struct SegmentEntry {
    std::int64_t firstBegin = 0;
    std::int64_t lastBegin = 0;
    std::int64_t lastEnd = 0; ///< Latest end of a segment.
    std::int64_t shortest = 0; ///< Length of the shortest segment.
    std::int64_t longest = 0;
    std::int64_t total = 0; ///< Sum of all lengths; saturates at 2^63 - 1.
    std::uint64_t count = 0;
    /// Offset in the section of segments. The bytes there begin with the histogram of lengths; the segments of a block follow.
    std::uint64_t offset = 0;
    /// 0 if a node above blocks has no histogram of its own; those of the entries below it are then added up.
    std::uint32_t bytes = 0;
    std::uint32_t hash = 0; ///< Low half of the XXH3-64 of the bytes.

    SegmentSum sum() const { return {count, Duration(total), Duration(shortest), Duration(longest)}; }
    bool mayOverlap(HostRange range) const
    {
        return firstBegin < nanoseconds(range.end) && (lastEnd > nanoseconds(range.begin) || lastBegin >= nanoseconds(range.begin));
    }
    /// True if all segments of the entry begin in the range.
    bool beginsIn(HostRange range) const { return firstBegin >= nanoseconds(range.begin) && lastBegin < nanoseconds(range.end); }
};
static_assert(sizeof(SegmentEntry) == 72 && std::has_unique_object_representations_v<SegmentEntry>);

bool haveSameSums(const SegmentEntry& a, const SegmentEntry& b);
/// Returns the sum of the entries, with offset, bytes and hash 0. Requires: at least one entry.
SegmentEntry sumOf(std::span<const SegmentEntry> entries);
/// Returns the sum of segments in order, with offset, bytes and hash 0. Requires: at least one segment.
SegmentEntry sumOf(std::span<const HostSegment> segments);

/// Appends a length histogram, with which the bytes of an entry begin.
void encodeHistogram(const SegmentHistogram& spread, ByteWriter& out);
/// Adds a length histogram to `spread`. Returns false, without adding, if it does not match the entry.
bool addHistogram(const SegmentEntry& entry, ByteReader& in, SegmentHistogram& spread);

/// Appends the bytes of a block: its length histogram, then its columns. Requires: the segments are in order.
void encodeSegments(std::span<const HostSegment> segments, ByteWriter& out);
/// Replaces `out` by the segments of a block, in order, from untrusted bytes. Returns false if they do not match the entry, or if a track
/// is not below `tracks`.
bool decodeSegments(const SegmentEntry& block, SegmentKindId kind, std::span<const std::byte> bytes, std::size_t tracks,
                    std::vector<HostSegment>& out);

/// Write and read the kinds and the number of blocks of each.
void encodeSegmentKinds(std::span<const SegmentKind> kinds, std::span<const std::uint64_t> blocks, ByteWriter& out);
bool decodeSegmentKinds(ByteReader in, std::vector<SegmentKind>& kinds, std::vector<std::uint64_t>& blocks);

} // namespace helio
