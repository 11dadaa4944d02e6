#pragma once

#include "core/store/file/byte_codec.h"
#include "core/store/segments.h"

#include <array>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace helio {

constexpr std::size_t SegmentBlockSegments = 512; ///< In a block, at most.
constexpr std::size_t MaxSegmentKinds = 255;

/// A block of segments of one kind, or what stands above up to 16 of those. As in the file. Times in ns.
struct SegmentEntry {
    std::int64_t firstBegin = 0;
    std::int64_t lastBegin = 0;
    std::int64_t lastEnd = 0; ///< The highest of all ends.
    std::int64_t shortest = 0; ///< Length.
    std::int64_t longest = 0;
    std::int64_t total = 0; ///< Of all lengths; stays at 2^63 - 1 where there is more.
    std::uint64_t count = 0;
    std::uint64_t offset = 0; ///< In the section of segments. There its bytes begin with its spread; a block's segments follow.
    std::uint32_t bytes = 0; ///< 0: what stands above others has no spread of its own: theirs are to be added up.
    std::uint32_t hash = 0; ///< Low half of the XXH3-64 of its bytes.

    SegmentSum sum() const { return {count, Duration(total), Duration(shortest), Duration(longest)}; }
    bool mayOverlap(HostRange range) const
    {
        return firstBegin < nanoseconds(range.end) && (lastEnd > nanoseconds(range.begin) || lastBegin >= nanoseconds(range.begin));
    }
    /// Each of its segments begins in the range.
    bool beginsIn(HostRange range) const { return firstBegin >= nanoseconds(range.begin) && lastBegin < nanoseconds(range.end); }
};
static_assert(sizeof(SegmentEntry) == 72 && std::has_unique_object_representations_v<SegmentEntry>);

bool haveSameSums(const SegmentEntry& a, const SegmentEntry& b);
/// What the entries say together, but for offset, bytes and hash. Requires: one or more.
SegmentEntry sumOf(std::span<const SegmentEntry> entries);
/// The same of segments in order.
SegmentEntry sumOf(std::span<const HostSegment> segments);

/// The spread of lengths that the bytes of an entry begin with.
void encodeSpread(const SegmentSpread& spread, ByteWriter& out);
/// Adds the counts to `spread`. False: they are no spread of what the entry says, and nothing was added.
bool addSpread(const SegmentEntry& entry, ByteReader& in, SegmentSpread& spread);

/// The bytes of a block: its spread, and its columns one after the other. Requires: in order.
void encodeSegments(std::span<const HostSegment> segments, ByteWriter& out);
/// Replaces `out` by a block's segments, in order, from any bytes. False: they are not what the entry says. Tracks are below `tracks`.
bool decodeSegments(const SegmentEntry& block, SegmentKindId kind, std::span<const std::byte> bytes, std::size_t tracks,
                    std::vector<HostSegment>& out);

/// The kinds, and of how many blocks each has.
void encodeSegmentKinds(std::span<const SegmentKind> kinds, std::span<const std::uint64_t> blocks, ByteWriter& out);
bool decodeSegmentKinds(ByteReader in, std::vector<SegmentKind>& kinds, std::vector<std::uint64_t>& blocks);

} // namespace helio
