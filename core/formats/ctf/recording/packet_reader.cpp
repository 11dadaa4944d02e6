#include "core/formats/ctf/recording/packet_reader.h"

#include <charconv>
#include <cstring>

namespace helio::ctf {
namespace {

constexpr std::uint32_t StreamMagic = 0xC1FC1FC1;

std::optional<UuidBytes> bytesOf(std::string_view uuid)
{
    if (uuid.empty())
        return {};
    UuidBytes bytes{};
    std::size_t digits = 0;
    for (const char c : uuid) {
        unsigned digit = 0;
        if (digits < 32 && std::from_chars(&c, &c + 1, digit, 16).ec == std::errc()) {
            bytes[digits / 2] |= static_cast<std::byte>(digits % 2 ? digit : digit << 4);
            ++digits;
        }
    }
    return bytes;
}

std::optional<std::uint64_t> valueOf(const FieldLocator& field, const FieldScope& scope)
{
    const auto value = field.isValid() ? field.integer(scope) : std::nullopt;
    return value ? std::optional(static_cast<std::uint64_t>(*value)) : std::nullopt;
}

std::optional<UuidBytes> uuidIn(const StreamClassLayout& shape, const FieldScope& scope)
{
    const std::uint64_t bit = shape.packet.uuid.isValid() ? shape.packet.uuid.bit(scope) : CutOff;
    UuidBytes uuid{};
    if (bit == CutOff || bit % 8 || bit + 8 * uuid.size() > scope.packet.contentBits)
        return {};
    std::memcpy(uuid.data(), scope.packet.data + bit / 8, uuid.size());
    return uuid;
}

FieldScope scopeAt(const MappedFile& file, std::uint64_t offset)
{
    const auto rest = file.bytes().subspan(offset);
    FieldScope scope;
    scope.packet = {rest.data(), rest.size() * 8, 0};
    scope.start(Section::PacketHeader) = 0;
    return scope;
}

const char* kindOf(PacketFault fault)
{
    switch (fault) {
    case PacketFault::OtherUuid: return "foreign-packet";
    case PacketFault::UnknownStream: return "unknown-stream";
    case PacketFault::CutHeader: return "truncated-packet";
    default: return "not-a-packet";
    }
}

const char* causeOf(PacketFault fault)
{
    switch (fault) {
    case PacketFault::None: break;
    case PacketFault::NoMagic: return "its magic number is wrong";
    case PacketFault::OtherByteOrder: return "its byte order is not the metadata's";
    case PacketFault::OtherUuid: return "its UUID belongs to another trace";
    case PacketFault::UnknownStream: return "its stream ID is not in the metadata";
    case PacketFault::NoSize: return "its size is 0";
    case PacketFault::WrongSize: return "its size is impossible";
    case PacketFault::CutHeader: return "the file ends within its header";
    case PacketFault::UnlikeIndex: return "its header differs from the index";
    }
    return "";
}

} // namespace

void report(std::vector<Diagnostic>& all, Diagnostic diagnostic)
{
    for (auto& known : all) {
        if (known.kind == diagnostic.kind && known.file == diagnostic.file) {
            known.count += diagnostic.count;
            return;
        }
    }
    all.push_back(std::move(diagnostic));
}

Diagnostic describeFault(const MappedFile& file, const PacketDescription& packet, std::optional<std::size_t> number)
{
    const bool isForeign = packet.fault == PacketFault::OtherUuid;
    std::string what = isForeign ? "packet of another trace at byte " : "no valid packet at byte ";
    what += std::to_string(packet.offset);
    if (number)
        what += " (packet " + std::to_string(*number) + " of its stream)";
    what += std::string(": ") + causeOf(packet.fault) + "; ";
    what += packet.offset + packet.size == file.bytes().size() ? "the last " : "";
    what += std::to_string(packet.size) + " bytes are not read";
    return {Diagnostic::Severity::Error, kindOf(packet.fault), file.path().string(), packet.offset, 1, std::move(what)};
}

PacketReader::PacketReader(const std::vector<StreamClassLayout>& shapes, std::string_view uuid)
    : m_shapes(&shapes)
    , m_uuid(bytesOf(uuid))
{
}

PacketDescription PacketReader::read(const MappedFile& file, std::uint64_t offset, std::vector<Diagnostic>* diagnostics) const
{
    PacketDescription packet;
    packet.offset = offset;
    packet.size = file.bytes().size() - offset;
    FieldScope scope = scopeAt(file, offset);
    if (!chooseShape(scope, packet))
        return packet;
    const StreamClassLayout& shape = (*m_shapes)[packet.shape];
    const std::uint64_t headerEnd = shape.packetHeader ? shape.packetHeader->skip(scope, 0) : 0;
    packet.contextBit = shape.packetContext && headerEnd != CutOff ? shape.packetContext->alignedStart(headerEnd) : headerEnd;
    scope.start(Section::PacketContext) = packet.contextBit;
    packet.eventsBit = shape.packetContext && headerEnd != CutOff ? shape.packetContext->skip(scope, headerEnd) : headerEnd;
    packet.fault = packet.eventsBit == CutOff ? PacketFault::CutHeader : checkHeader(shape, scope);
    if (!packet.isPacket() && packet.fault != PacketFault::OtherUuid)
        return packet;
    const auto& fields = shape.packet;
    packet.instance = valueOf(fields.streamInstance, scope);
    packet.discarded = valueOf(fields.discarded, scope);
    packet.sequence = valueOf(fields.sequence, scope);
    if (const auto cpu = valueOf(fields.cpu, scope); cpu && *cpu <= INT32_MAX)
        packet.cpu = static_cast<std::int32_t>(*cpu);
    packet.begin = valueOf(fields.begin, scope);
    packet.end = valueOf(fields.end, scope);
    if (packet.end == std::uint64_t(0) && packet.begin)
        packet.end.reset(); // If the recorded end is 0, the end of the packet is unknown: lttng-crash saves unfinished packets.
    readSizes(shape, scope, packet, file, diagnostics);
    return packet;
}

std::optional<UuidBytes> PacketReader::uuidAt(const MappedFile& file, const PacketDescription& packet) const
{
    return uuidIn((*m_shapes)[packet.shape], scopeAt(file, packet.offset));
}

std::optional<PacketReader::Magic> PacketReader::magic() const
{
    if (m_shapes->empty())
        return {};
    const FieldLocator& field = m_shapes->front().packet.magic; // All stream classes have the same packet header; use the first one.
    if (!field.isValid() || field.constantOffset() == CutOff || field.constantOffset() % 8)
        return {};
    const IntegerType& type = *integerOf(*field.type());
    if (type.bits != 32)
        return {};
    Magic magic;
    magic.offset = field.constantOffset() / 8;
    const bool isNative = (type.order == ByteOrder::Little) == (std::endian::native == std::endian::little);
    const std::uint32_t word = isNative ? StreamMagic : __builtin_bswap32(StreamMagic);
    std::memcpy(magic.bytes.data(), &word, magic.bytes.size());
    return magic;
}

/// Finds the stream class by the stream id in the header. If there is none, sets the packet's fault and returns false.
bool PacketReader::chooseShape(const FieldScope& scope, PacketDescription& packet) const
{
    packet.fault = PacketFault::UnknownStream;
    if (m_shapes->empty())
        return false;
    const auto& fields = m_shapes->front().packet;
    if (const auto magic = valueOf(fields.magic, scope); magic && (*magic & UINT32_MAX) != StreamMagic) {
        const bool isFlipped = __builtin_bswap32(static_cast<std::uint32_t>(*magic)) == StreamMagic;
        packet.fault = isFlipped ? PacketFault::OtherByteOrder : PacketFault::NoMagic;
        return false;
    }
    const auto id = valueOf(fields.streamId, scope);
    if (!id && fields.streamId.isValid() && m_shapes->size() > 1)
        packet.fault = PacketFault::CutHeader;
    for (std::size_t i = 0; i < m_shapes->size(); ++i) {
        if ((*m_shapes)[i].id == id || (!id && m_shapes->size() == 1)) {
            packet.shape = static_cast<std::uint32_t>(i);
            packet.fault = PacketFault::None;
            return true;
        }
    }
    return false;
}

PacketFault PacketReader::checkHeader(const StreamClassLayout& shape, const FieldScope& scope) const
{
    const auto uuid = m_uuid ? uuidIn(shape, scope) : std::nullopt;
    return !uuid || uuid == m_uuid ? PacketFault::None : PacketFault::OtherUuid;
}

void PacketReader::readSizes(const StreamClassLayout& shape, const FieldScope& scope, PacketDescription& packet, const MappedFile& file,
                             std::vector<Diagnostic>* diagnostics) const
{
    const auto note = [&](Diagnostic::Severity severity, const char* kind, const char* what) {
        if (diagnostics)
            report(*diagnostics, {severity, kind, file.path().string(), packet.offset, 1, what});
    };
    using enum Diagnostic::Severity;
    const std::uint64_t restBits = scope.packet.contentBits;
    const auto& fields = shape.packet;
    auto content = valueOf(fields.contentSize, scope);
    auto size = valueOf(fields.packetSize, scope);
    const bool isProven = fields.magic.isValid() || fields.uuid.isValid();
    const auto& whole = fields.packetSize.isValid() ? size : content;
    if (packet.offset > 0 && !isProven && whole) {
        if (*whole == 0)
            packet.fault = PacketFault::NoSize;
        else if (*whole % 8 || *whole < packet.eventsBit || content > whole)
            packet.fault = PacketFault::WrongSize;
        if (!packet.isPacket())
            return;
    }
    if (!size || *size == 0)
        size = fields.packetSize.isValid() || !content || *content == 0 ? restBits : *content;
    if (!content || *content == 0)
        content = *size;
    if (*content > *size) {
        note(Warning, "packet-size", "a packet's content is larger than the packet");
        content = *size;
    }
    if (*size > restBits) {
        note(Warning, "truncated-packet", "the file ends before the packet does");
        packet.isCut = true;
        size = restBits;
        content = std::min(*content, restBits);
    }
    if (*size < packet.eventsBit || *content < packet.eventsBit) {
        note(Error, "packet-size", "a packet is smaller than its header");
        content = packet.eventsBit;
        size = std::max(*size, packet.eventsBit);
    }
    packet.contentBits = *content;
    packet.size = std::max<std::uint64_t>((*size + 7) / 8, 1);
}

} // namespace helio::ctf
