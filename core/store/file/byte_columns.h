#pragma once

#include "core/store/file/byte_codec.h"
#include "core/store/store_format.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace helio {

// Format of a column: its lowest value (a number), the width of a difference in bytes (1 byte, 0 to 8), and for each value its difference
// from the lowest value in that width. Reading takes about 1 ns per value.

/// Appends a column with the values valueAt(0) to valueAt(count - 1). Requires: count >= 1.
template <typename ValueAt> void putColumn(std::size_t count, ByteWriter& out, ValueAt valueAt)
{
    std::uint64_t least = valueAt(0);
    std::uint64_t most = least;
    for (std::size_t i = 1; i < count; ++i) {
        least = std::min<std::uint64_t>(least, valueAt(i));
        most = std::max<std::uint64_t>(most, valueAt(i));
    }
    const unsigned width = most == least ? 0 : format::bytesFor(most - least);
    out.put(least);
    out.putByte(static_cast<std::uint8_t>(width));
    std::vector<std::byte> values(count * width + sizeof least);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t above = valueAt(i) - least;
        // Copy 8 bytes, which is faster than copying `width` bytes. The surplus bytes are overwritten by the next value; after the
        // last value, the buffer has room for them.
        std::memcpy(values.data() + i * width, &above, sizeof above);
    }
    out.append(std::span(values).first(count * width));
}

template <std::size_t Width, typename Take>
void takeValues(std::span<const std::byte> bytes, std::size_t count, std::uint64_t least, Take& take)
{
    for (std::size_t i = 0; i < count; ++i) {
        std::uint64_t above = 0;
        if constexpr (Width > 0)
            std::memcpy(&above, bytes.data() + i * Width, Width);
        take(i, least + above);
    }
}

/// Calls take(i, value) for each value of a column; the values are not validated. If the bytes are not a column, `in` fails and `take` is
/// not called.
template <typename Take> void takeColumn(std::size_t count, ByteReader& in, Take take)
{
    const std::uint64_t least = in.get();
    const std::uint8_t width = in.getByte();
    const auto bytes = in.getBytes(width <= 8 ? count * width : SIZE_MAX);
    if (in.hasFailed())
        return;
    switch (width) {
    case 0: return takeValues<0>(bytes, count, least, take);
    case 1: return takeValues<1>(bytes, count, least, take);
    case 2: return takeValues<2>(bytes, count, least, take);
    case 3: return takeValues<3>(bytes, count, least, take);
    case 4: return takeValues<4>(bytes, count, least, take);
    case 5: return takeValues<5>(bytes, count, least, take);
    case 6: return takeValues<6>(bytes, count, least, take);
    case 7: return takeValues<7>(bytes, count, least, take);
    default: return takeValues<8>(bytes, count, least, take);
    }
}

/// ordered() converts a signed number to an unsigned number so that the order is kept; the inverse function converts it back.
constexpr std::uint64_t ordered(std::int64_t value) { return static_cast<std::uint64_t>(value) ^ (std::uint64_t(1) << 63); }
constexpr std::int64_t fromOrdered(std::uint64_t value) { return static_cast<std::int64_t>(value ^ (std::uint64_t(1) << 63)); }

} // namespace helio
