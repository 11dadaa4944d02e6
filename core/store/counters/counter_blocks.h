#pragma once

#include "core/store/counters.h"
#include "core/store/file/byte_codec.h"

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace helio {

constexpr std::size_t CounterBlockPoints = 512; ///< Maximum number of points in a block.

/// Directory entry of a block of points of one series, or of a node above up to 16 entries. Stored in this layout. Times are in ns,
/// values are CounterValue::bits().
struct CounterEntry {
    std::int64_t firstTime = 0;
    std::int64_t lastTime = 0;
    std::uint64_t first = 0; ///< Value of the first point.
    std::uint64_t last = 0;
    std::uint64_t least = 0;
    std::uint64_t most = 0;
    double integral = 0; ///< Integral of the values from firstTime to lastTime; see integralOf().
    std::uint64_t count = 0;
    /// Offset of a block in the section of counters. Nodes above the blocks have no bytes: offset, bytes and hash are then 0.
    std::uint64_t offset = 0;
    std::uint32_t bytes = 0;
    std::uint32_t hash = 0; ///< Low half of the XXH3-64 of the block's bytes.

    CounterPoint firstPoint() const { return {hostTime(firstTime), CounterValue::fromBits(first)}; }
    CounterPoint lastPoint() const { return {hostTime(lastTime), CounterValue::fromBits(last)}; }
};
static_assert(sizeof(CounterEntry) == 80 && std::is_trivially_copyable_v<CounterEntry>);

/// True if the sums of both entries are equal. Not compared: integrals, which depend on how a machine rounds, and offset, bytes and hash.
bool haveSameSums(const CounterEntry& a, const CounterEntry& b);
/// Returns the sum of consecutive entries. Requires: at least one entry.
CounterEntry sumOf(std::span<const CounterEntry> entries, CounterNumber number);
/// Returns the sum of points in order. Requires: at least one point.
CounterEntry sumOf(std::span<const CounterPoint> points, CounterNumber number);

/// Appends the bytes of a block: its columns.
void encodePoints(std::span<const CounterPoint> points, CounterSeries::Kind kind, ByteWriter& out);
/// Replaces `out` by the points of a block, from untrusted bytes. Returns false, with `out` empty, if the points do not match the entry.
bool decodePoints(const CounterEntry& block, const CounterSeries& series, std::span<const std::byte> bytes, std::vector<CounterPoint>& out);

/// Writes the series and the number of blocks of each.
void encodeCounterSeries(std::span<const CounterSeries> series, std::span<const std::uint64_t> blocks, ByteWriter& out);
/// Reads the series and the number of blocks of each. Returns false if the bytes are damaged, or if a series belongs to a track that is not
/// below `tracks`.
bool decodeCounterSeries(ByteReader in, std::size_t tracks, std::vector<CounterSeries>& series, std::vector<std::uint64_t>& blocks);

} // namespace helio
