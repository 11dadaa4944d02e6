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

/// Directory entry of a block of segments of one kind, or of a node that summarizes up to 16 entries. Files contain this layout. Times are
/// in ns.
struct SegmentEntry {
    std::int64_t firstBegin = 0;
    std::int64_t lastBegin = 0;
    std::int64_t lastEnd = 0; ///< Latest end of the segments.
    std::int64_t shortest = 0; ///< Length of the shortest segment.
    std::int64_t longest = 0;
    std::int64_t total = 0; ///< Sum of all lengths; at most 2^63 - 1.
    std::uint64_t count = 0;
    /// Offset in the section Segments of the bytes that belong to this entry: a length histogram, followed by the segments if the entry is
    /// a block.
    std::uint64_t offset = 0;
    /// Number of bytes at `offset`; 0 if the entry is a node without a histogram of its own. The histogram of such a node is the sum of the
    /// histograms of the entries below it.
    std::uint32_t bytes = 0;
    std::uint32_t hash = 0; ///< Lower half of the XXH3-64 hash of the bytes at `offset`.

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
/// Returns the entry that summarizes `entries`. Its members offset, bytes and hash are 0. Requires: at least one entry.
SegmentEntry sumOf(std::span<const SegmentEntry> entries);
/// Returns the entry that summarizes segments, which must be in order. Its members offset, bytes and hash are 0. Requires: at least one
/// segment.
SegmentEntry sumOf(std::span<const HostSegment> segments);

/// Appends a length histogram; it is the first part of an entry's bytes.
void encodeHistogram(const SegmentHistogram& spread, ByteWriter& out);
/// Decodes a length histogram and adds it to `spread`. Returns false, without adding anything, if the histogram does not match the entry.
bool addHistogram(const SegmentEntry& entry, ByteReader& in, SegmentHistogram& spread);

/// Appends the bytes of a block: its length histogram, then its segments column by column. Requires: the segments are in order.
void encodeSegments(std::span<const HostSegment> segments, ByteWriter& out);
/// Decodes the segments of a block from untrusted bytes into `out`, in order. Returns false if the segments do not match the entry,
/// or if the index of a track is `tracks` or more.
bool decodeSegments(const SegmentEntry& block, SegmentKindId kind, std::span<const std::byte> bytes, std::size_t tracks,
                    std::vector<HostSegment>& out);

/// Encodes the kinds and the number of blocks of each kind; decodeSegmentKinds() decodes them.
void encodeSegmentKinds(std::span<const SegmentKind> kinds, std::span<const std::uint64_t> blocks, ByteWriter& out);
bool decodeSegmentKinds(ByteReader in, std::vector<SegmentKind>& kinds, std::vector<std::uint64_t>& blocks);

} // namespace helio
