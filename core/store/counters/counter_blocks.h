#pragma once

#include "core/store/counters.h"
#include "core/store/file/byte_codec.h"

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace helio {

constexpr std::size_t CounterBlockPoints = 512; ///< Maximum number of points in a block.

/// Directory entry of a block of points of one series, or of a node that summarizes up to 16 entries. Files contain this layout. Times are
/// in ns; values are CounterValue::bits().
struct CounterEntry {
    std::int64_t firstTime = 0;
    std::int64_t lastTime = 0;
    std::uint64_t first = 0; ///< Value of the first point.
    std::uint64_t last = 0;
    std::uint64_t least = 0;
    std::uint64_t most = 0;
    double integral = 0; ///< Integral of the values from firstTime to lastTime, in the unit of integralOf().
    std::uint64_t count = 0;
    /// Offset of the block in the counter section. A node above the blocks has no bytes: its offset, bytes and hash are 0.
    std::uint64_t offset = 0;
    std::uint32_t bytes = 0;
    std::uint32_t hash = 0; ///< Lower half of the XXH3-64 hash of the block's bytes.

    CounterPoint firstPoint() const { return {hostTime(firstTime), CounterValue::fromBits(first)}; }
    CounterPoint lastPoint() const { return {hostTime(lastTime), CounterValue::fromBits(last)}; }
};
static_assert(sizeof(CounterEntry) == 80 && std::is_trivially_copyable_v<CounterEntry>);

/// True if both entries have equal times, values and counts. Not compared: integrals, because their rounding depends on the machine, and
/// offset, bytes and hash.
bool haveSameSums(const CounterEntry& a, const CounterEntry& b);
/// Returns the node that summarizes consecutive entries. Requires: at least one entry.
CounterEntry sumOf(std::span<const CounterEntry> entries, CounterNumber number);
/// Returns the entry that summarizes points in time order. Requires: at least one point.
CounterEntry sumOf(std::span<const CounterPoint> points, CounterNumber number);

/// Appends the encoded points of a block, column by column.
void encodePoints(std::span<const CounterPoint> points, CounterSeries::Kind kind, ByteWriter& out);
/// Decodes the points of a block from untrusted bytes into `out`. Returns false, with `out` empty, if the points do not match the entry.
bool decodePoints(const CounterEntry& block, const CounterSeries& series, std::span<const std::byte> bytes, std::vector<CounterPoint>& out);

/// Encodes the series and the number of blocks of each series.
void encodeCounterSeries(std::span<const CounterSeries> series, std::span<const std::uint64_t> blocks, ByteWriter& out);
/// Decodes the series and the number of blocks of each series. Returns false if the bytes are damaged, or if a series belongs to a
/// track with an index of `tracks` or more.
bool decodeCounterSeries(ByteReader in, std::size_t tracks, std::vector<CounterSeries>& series, std::vector<std::uint64_t>& blocks);

} // namespace helio
