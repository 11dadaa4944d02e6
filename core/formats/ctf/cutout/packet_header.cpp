#include "core/formats/ctf/cutout/packet_header.h"

#include "core/formats/ctf/cutout/packet_output.h"

#include <string>

namespace helio::ctf {
namespace {

/// Writes a LEB128 number with as many bytes as the number that it replaces. Returns false if it needs more bytes.
bool setVariable(std::span<std::byte> head, std::uint64_t bit, std::uint64_t value, bool isSigned)
{
    const Leb128Number old = readLeb128(head.data(), 8 * head.size(), bit, isSigned);
    if (old.end == CutOff)
        return false;
    const std::uint64_t bytes = (old.end - bit) / 8;
    const std::uint64_t room = std::min<std::uint64_t>(7 * bytes - (isSigned ? 1 : 0), 64);
    if (room < 64 && value >> room != 0)
        return false;
    for (std::uint64_t i = 0; i < bytes; ++i) {
        const std::uint64_t part = 7 * i < 64 ? value >> (7 * i) & 0x7f : 0;
        head[bit / 8 + i] = static_cast<std::byte>(part | (i + 1 < bytes ? 0x80 : 0));
    }
    return true;
}

} // namespace

Status setValues(std::span<std::byte> head, const StreamClassLayout& shape, const PacketDescription& packet,
                 const PacketHeaderValues& values)
{
    FieldScope scope;
    scope.packet = {head.data(), 8 * head.size(), packet.contextBit};
    scope.start(Section::PacketHeader) = 0;
    scope.start(Section::PacketContext) = packet.contextBit;
    std::string tooSmall; // Name of the first field that cannot have its new value.
    const auto set = [&](const char* name, const FieldLocator& field, const std::optional<std::uint64_t>& value, bool isWhole) {
        const std::uint64_t bit = field.isValid() && value && tooSmall.empty() ? field.bit(scope) : CutOff;
        if (bit == CutOff)
            return;
        const IntegerType& type = *integerOf(*field.type());
        const unsigned room = type.bits - (type.isSigned && isWhole ? 1 : 0);
        if (type.isVariable ? !setVariable(head, bit, *value, type.isSigned) : isWhole && room < 64 && *value >> room != 0)
            tooSmall = name;
        else if (!type.isVariable)
            writeBits(head, bit, type.bits, type.order, type.isReversed ? reverseBits(*value, type.bits) : *value);
    };
    const auto& fields = shape.packet;
    set("content_size", fields.contentSize, values.contentBits, true);
    set("packet_size", fields.packetSize, values.packetBits, true);
    set("timestamp_begin", fields.begin, values.begin, false);
    set("timestamp_end", fields.end, values.end, false);
    set("events_discarded", fields.discarded, values.discarded, false);
    if (tooSmall.empty())
        return Done{};
    return Error{Error::Kind::Unsupported, "the field " + tooSmall + " of a packet is too small for its new value; choose another range"};
}

} // namespace helio::ctf
