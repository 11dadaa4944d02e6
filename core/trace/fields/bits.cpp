#include "core/trace/fields/bits.h"

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

std::uint64_t readBitField(const std::byte* data, std::uint64_t bit, unsigned bits, ByteOrder order)
{
    return order == ByteOrder::Little ? littleEndianField(data, bit, bits) : bigEndianField(data, bit, bits);
}

} // namespace helio
