#include "core/trace/fields/bits.h"

#include <algorithm>

namespace helio {
namespace {

std::uint64_t byteAt(const std::byte* data, std::uint64_t index) { return static_cast<std::uint8_t>(data[index]); }

std::uint64_t littleEndianField(const std::byte* data, std::uint64_t bit, unsigned bits)
{
    std::uint64_t index = bit / 8;
    const auto skipped = static_cast<unsigned>(bit % 8);
    std::uint64_t value = byteAt(data, index) >> skipped;
    for (unsigned got = 8 - skipped; got < bits; got += 8)
        value |= byteAt(data, ++index) << got;
    return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

std::uint64_t bigEndianField(const std::byte* data, std::uint64_t bit, unsigned bits)
{
    std::uint64_t index = bit / 8;
    const auto skipped = static_cast<unsigned>(bit % 8);
    std::uint64_t value = byteAt(data, index) & (0xffU >> skipped);
    unsigned got = 8 - skipped;
    if (got > bits)
        return value >> (got - bits);
    while (bits - got >= 8) {
        value = value << 8 | byteAt(data, ++index);
        got += 8;
    }
    const unsigned rest = bits - got;
    return rest == 0 ? value : value << rest | byteAt(data, index + 1) >> (8 - rest);
}

} // namespace

std::uint64_t reverseBits(std::uint64_t value, unsigned bits)
{
    std::uint64_t reversed = 0;
    for (unsigned i = 0; i < bits; ++i)
        reversed |= (value >> i & 1) << (bits - 1 - i);
    return reversed;
}

Leb128Number readLeb128(const std::byte* data, std::uint64_t contentBits, std::uint64_t bit, bool isSigned)
{
    std::uint64_t value = 0;
    for (unsigned at = 0; bit + 8 <= contentBits; at += 7, bit += 8) {
        const std::uint64_t byte = byteAt(data, bit / 8);
        const std::uint64_t part = byte & 0x7f;
        if (at >= 64) { // Bits after the 64th must repeat the sign, or the number is invalid.
            if (part != (isSigned && static_cast<std::int64_t>(value) < 0 ? 0x7fU : 0U) || at > 7 * 64)
                return {};
        } else {
            value |= part << at;
            if (const unsigned kept = 64 - at; kept < 7 && part >> kept != (isSigned && (value >> 63) ? 0x7fU >> kept : 0U))
                return {};
        }
        if ((byte & 0x80) == 0)
            return {isSigned ? signExtend(value, std::min(at + 7, 64U)) : static_cast<std::int64_t>(value), bit + 8, at + 7};
    }
    return {};
}

std::uint64_t readBitField(const std::byte* data, std::uint64_t bit, unsigned bits, ByteOrder order)
{
    return order == ByteOrder::Little ? littleEndianField(data, bit, bits) : bigEndianField(data, bit, bits);
}

} // namespace helio
