#pragma once

#include "core/trace/fields/field_type.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace helio {

/// Position that a failed read returns: the packet's content ends before the field does, or the field's length or tag is invalid. Larger
/// than every valid bit position.
constexpr std::uint64_t CutOff = ~std::uint64_t{0};

/// Returns the smallest multiple of `alignment` (a power of two) that is at least `bit`.
constexpr std::uint64_t alignUp(std::uint64_t bit, std::uint64_t alignment) { return (bit + alignment - 1) & ~(alignment - 1); }

constexpr std::int64_t signExtend(std::uint64_t value, unsigned bits)
{
    return bits >= 64 ? static_cast<std::int64_t>(value) : static_cast<std::int64_t>(value << (64 - bits)) >> (64 - bits);
}

/// Reads a field that is not a whole aligned machine word: the slow path of readBits().
std::uint64_t readBitField(const std::byte* data, std::uint64_t bit, unsigned bits, ByteOrder order);

template <typename T> T loadWord(const std::byte* at, ByteOrder order)
{
    T value;
    std::memcpy(&value, at, sizeof value);
    if ((order == ByteOrder::Little) == (std::endian::native == std::endian::little))
        return value;
    if constexpr (sizeof(T) == 2)
        return __builtin_bswap16(value);
    else if constexpr (sizeof(T) == 4)
        return __builtin_bswap32(value);
    else
        return __builtin_bswap64(value);
}

/// Returns the unsigned integer of 1 to 64 bits at `bit`. Little-endian fields count bits from the least significant bit of a byte,
/// big-endian fields from the most significant bit (CTF 1.8, 4.1.5). Requires: all bits of the field lie in the content.
inline std::uint64_t readBits(const std::byte* data, std::uint64_t bit, unsigned bits, ByteOrder order)
{
    if (bit % 8 == 0) {
        const std::byte* at = data + bit / 8;
        switch (bits) {
        case 8: return static_cast<std::uint8_t>(*at);
        case 16: return loadWord<std::uint16_t>(at, order);
        case 32: return loadWord<std::uint32_t>(at, order);
        case 64: return loadWord<std::uint64_t>(at, order);
        default: break;
        }
    }
    return readBitField(data, bit, bits, order);
}

/// Returns the lowest `bits` bits of `value` in reverse order.
std::uint64_t reverseBits(std::uint64_t value, unsigned bits);

/// A decoded integer of variable length (LEB128).
struct Leb128Number {
    std::int64_t value = 0; ///< The integer's value; unsigned 64-bit values keep their bits.
    std::uint64_t end = CutOff; ///< Bit after the number; CutOff if the number cannot be read.
    unsigned bits = 0; ///< Size in bits of the encoded payload: 7 bits per byte.
};

/// Reads the LEB128 number at `bit`, a multiple of 8. `end` is CutOff if the number does not end within `contentBits` or exceeds 64 bits.
Leb128Number readLeb128(const std::byte* data, std::uint64_t contentBits, std::uint64_t bit, bool isSigned);

/// Returns the value of the integer of this type at `bit`. Signed numbers are sign extended; unsigned 64-bit values keep their bits.
/// Requires: !type.isVariable.
inline std::int64_t readInteger(const std::byte* data, std::uint64_t bit, const IntegerType& type)
{
    std::uint64_t value = readBits(data, bit, type.bits, type.order);
    if (type.isReversed) [[unlikely]]
        value = reverseBits(value, type.bits);
    return type.isSigned ? signExtend(value, type.bits) : static_cast<std::int64_t>(value);
}

inline double readFloat(const std::byte* data, std::uint64_t bit, const FloatType& type)
{
    std::uint64_t value = readBits(data, bit, type.bits, type.order);
    if (type.isReversed) [[unlikely]]
        value = reverseBits(value, type.bits);
    return type.bits == 32 ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(value))) : std::bit_cast<double>(value);
}

} // namespace helio
