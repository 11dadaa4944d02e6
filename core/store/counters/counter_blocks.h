#pragma once

#include "core/store/counters.h"
#include "core/store/file/byte_codec.h"

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace helio {

constexpr std::size_t CounterBlockPoints = 512; ///< In a block, at most.

/// A block of points of one series, or what stands above up to 16 of those. As in the file. Times in ns, values as CounterValue::bits().
struct CounterEntry {
    std::int64_t firstTime = 0;
    std::int64_t lastTime = 0;
    std::uint64_t first = 0; ///< Values: of the first point, of the last, the least and the most of all.
    std::uint64_t last = 0;
    std::uint64_t least = 0;
    std::uint64_t most = 0;
    double integral = 0; ///< integralOf() the values from the first time to the last.
    std::uint64_t count = 0;
    std::uint64_t offset = 0; ///< Of a block, in the section of counters. What stands above others has no bytes.
    std::uint32_t bytes = 0;
    std::uint32_t hash = 0; ///< Low half of the XXH3-64 of its bytes.

    CounterPoint firstPoint() const { return {hostTime(firstTime), CounterValue::ofBits(first)}; }
    CounterPoint lastPoint() const { return {hostTime(lastTime), CounterValue::ofBits(last)}; }
};
static_assert(sizeof(CounterEntry) == 80 && std::is_trivially_copyable_v<CounterEntry>);

/// The same but for the integrals, which depend on how a machine rounds, and for offset, bytes and hash.
bool haveSameSums(const CounterEntry& a, const CounterEntry& b);
/// What the entries, which follow each other, say together. Requires: one or more.
CounterEntry sumOf(std::span<const CounterEntry> entries, CounterNumber number);
/// The same of points in order.
CounterEntry sumOf(std::span<const CounterPoint> points, CounterNumber number);

/// The bytes of a block: its columns.
void encodePoints(std::span<const CounterPoint> points, CounterSeries::Kind kind, ByteWriter& out);
/// Replaces `out` by a block's points from any bytes. False, and none: they are not what the entry says.
bool decodePoints(const CounterEntry& block, const CounterSeries& series, std::span<const std::byte> bytes, std::vector<CounterPoint>& out);

/// The series, and of how many blocks each has.
void encodeCounterSeries(std::span<const CounterSeries> series, std::span<const std::uint64_t> blocks, ByteWriter& out);
/// False: there are none such. Tracks are below `tracks`.
bool decodeCounterSeries(ByteReader in, std::size_t tracks, std::vector<CounterSeries>& series, std::vector<std::uint64_t>& blocks);

} // namespace helio
