#include "core/formats/ctf/recording/packet_scan.h"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace helio::ctf {
namespace {

constexpr std::uint32_t StreamMagic = 0xC1FC1FC1;

/// Of a file of this size: many times what a tracer writes, and not so many that a small file fills the memory.
std::uint64_t mostPackets(std::uint64_t bytes) { return bytes / 64 + (1 << 16); }

std::array<std::byte, 16> bytesOf(std::string_view uuid)
{
    std::array<std::byte, 16> bytes{};
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

/// Headers of packets of so many bytes are read one by one; of smaller ones all is read, which disks do better.
constexpr std::uint64_t FarApart = 128 << 10;

/// Headers that an index is compared with.
constexpr std::size_t Samples = 8;

std::optional<std::uint64_t> valueOf(const FieldLocator& field, const FieldScope& scope)
{
    const auto value = field.isValid() ? field.integer(scope) : std::nullopt;
    return value ? std::optional(static_cast<std::uint64_t>(*value)) : std::nullopt;
}

/// The packet that an index's entry describes. What the entry does not have is as in the file's first packet.
PacketFacts indexed(const IndexedPacket& entry, const PacketFacts& first)
{
    PacketFacts packet = first;
    packet.offset = entry.offset;
    packet.size = entry.size;
    packet.contentBits = entry.contentBits;
    packet.begin = first.begin ? std::optional(entry.begin) : std::nullopt;
    packet.end = first.end ? std::optional(entry.end) : std::nullopt;
    packet.discarded = first.discarded ? std::optional(entry.discarded) : std::nullopt;
    packet.instance = first.instance ? entry.instance : std::nullopt;
    packet.sequence = first.sequence ? entry.sequence : std::nullopt;
    return packet;
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

void PacketScan::Place::report(Diagnostic::Severity severity, std::string kind, std::string what) const
{
    ctf::report(diagnostics, {severity, std::move(kind), file.path().string(), offset, 1, std::move(what)});
}

PacketScan::PacketScan(const Metadata& metadata, const std::vector<StreamShape>& shapes)
    : m_metadata(metadata)
    , m_shapes(shapes)
    , m_uuid(bytesOf(metadata.uuid))
{
}

void PacketScan::scan(const MappedFile& file, std::vector<PacketFacts>& packets, std::vector<Diagnostic>& diagnostics,
                      const std::function<bool()>& goOn) const
{
    if (scanByIndex(file, packets))
        return;
    const std::uint64_t size = file.bytes().size();
    std::uint64_t left = mostPackets(size);
    file.advise(MappedFile::Advice::Random); // Else the kernel reads megabytes around each header.
    for (std::uint64_t offset = 0; offset < size && goOn();) {
        PacketFacts packet;
        packet.offset = offset;
        const Place place{file, offset, diagnostics};
        if (left-- == 0)
            return place.report(Diagnostic::Severity::Error, "too-many-packets", "a file of too many packets for its size");
        const auto verdict = readPacket(place, packet);
        if (verdict == Verdict::Stop) {
            if (packet.isCut && !packets.empty())
                packets.back().isCut = true;
            break;
        }
        if (verdict == Verdict::Good)
            packets.push_back(packet);
        if (offset == 0 && packet.size < FarApart)
            file.advise(MappedFile::Advice::Normal);
        offset += packet.size;
    }
    file.advise(MappedFile::Advice::Normal);
}

/// Takes the packets from the tracer's index, if a few of them, evenly chosen, say the same themselves. Else appends nothing.
bool PacketScan::scanByIndex(const MappedFile& file, std::vector<PacketFacts>& packets) const
{
    const auto index = readPacketIndex(file.path(), file.bytes().size());
    if (!index || index->size() <= Samples)
        return false;
    file.advise(MappedFile::Advice::Random);
    std::vector<Diagnostic> problems;
    PacketFacts first;
    bool isTrue = true;
    for (std::size_t i = 0; i < Samples && isTrue; ++i) {
        const IndexedPacket& entry = (*index)[i * (index->size() - 1) / (Samples - 1)];
        PacketFacts packet;
        packet.offset = entry.offset;
        isTrue = readPacket({file, entry.offset, problems}, packet) == Verdict::Good && problems.empty();
        if (i == 0)
            first = packet;
        isTrue = isTrue && packet == indexed(entry, first);
    }
    file.advise(MappedFile::Advice::Normal);
    const auto isOfFirst = [&](const IndexedPacket& entry) { return entry.stream == m_shapes[first.shape].id; };
    if (!isTrue || !std::all_of(index->begin(), index->end(), isOfFirst))
        return false;
    for (const IndexedPacket& entry : *index)
        packets.push_back(indexed(entry, first));
    return true;
}

PacketScan::Verdict PacketScan::readPacket(const Place& place, PacketFacts& packet) const
{
    const auto rest = place.file.bytes().subspan(place.offset);
    FieldScope scope;
    scope.packet = {rest.data(), rest.size() * 8, 0};
    scope.start(Section::PacketHeader) = 0;
    const auto* shape = chooseShape(place, scope, packet);
    if (!shape)
        return Verdict::Stop;
    const std::uint64_t headerEnd = shape->packetHeader ? shape->packetHeader->skip(scope, 0) : 0;
    packet.contextBit = shape->packetContext && headerEnd != CutOff ? shape->packetContext->alignedStart(headerEnd) : headerEnd;
    scope.start(Section::PacketContext) = packet.contextBit;
    packet.eventsBit = shape->packetContext && headerEnd != CutOff ? shape->packetContext->skip(scope, headerEnd) : headerEnd;
    if (packet.eventsBit == CutOff) {
        place.report(Diagnostic::Severity::Error, "truncated-packet", "the file ends within a packet's header");
        packet.isCut = true;
        return Verdict::Stop;
    }
    const auto verdict = checkHeader(place, *shape, scope);
    if (verdict == Verdict::Stop)
        return verdict;
    const auto& fields = shape->packet;
    packet.instance = valueOf(fields.streamInstance, scope);
    packet.discarded = valueOf(fields.discarded, scope);
    packet.sequence = valueOf(fields.sequence, scope);
    if (const auto cpu = valueOf(fields.cpu, scope); cpu && *cpu <= INT32_MAX)
        packet.cpu = static_cast<std::int32_t>(*cpu);
    packet.begin = valueOf(fields.begin, scope);
    packet.end = valueOf(fields.end, scope);
    if (packet.end == std::uint64_t(0) && packet.begin)
        packet.end.reset(); // lttng-crash saves packets that were not finished.
    readSizes(place, *shape, scope, packet);
    return verdict;
}

const StreamShape* PacketScan::chooseShape(const Place& place, const FieldScope& scope, PacketFacts& packet) const
{
    if (m_shapes.empty()) {
        place.report(Diagnostic::Severity::Error, "unknown-stream", "the metadata has no streams");
        return nullptr;
    }
    const auto id = valueOf(m_shapes.front().packet.streamId, scope); // The packet's header is the same for all.
    for (std::size_t i = 0; i < m_shapes.size(); ++i) {
        if (m_shapes[i].id == id || (!id && m_shapes.size() == 1)) {
            packet.shape = static_cast<std::uint32_t>(i);
            return &m_shapes[i];
        }
    }
    const bool isCtf = valueOf(m_shapes.front().packet.magic, scope) == std::uint64_t(StreamMagic);
    place.report(Diagnostic::Severity::Error, isCtf ? "unknown-stream" : "not-a-packet",
                 isCtf && id ? "a packet of stream " + std::to_string(*id) + ", which the metadata does not have" : "no packet is here");
    return nullptr;
}

PacketScan::Verdict PacketScan::checkHeader(const Place& place, const StreamShape& shape, const FieldScope& scope) const
{
    if (const auto magic = valueOf(shape.packet.magic, scope); magic && (*magic & UINT32_MAX) != StreamMagic) {
        const bool isFlipped = __builtin_bswap32(static_cast<std::uint32_t>(*magic)) == StreamMagic;
        place.report(Diagnostic::Severity::Error, "not-a-packet",
                     isFlipped ? "a packet in the other byte order than the metadata says"
                               : "no packet is here: its magic number is wrong");
        return Verdict::Stop;
    }
    if (m_metadata.uuid.empty() || !shape.packet.uuid.isValid())
        return Verdict::Good;
    const std::uint64_t bit = shape.packet.uuid.bit(scope);
    if (bit % 8 || std::memcmp(scope.packet.data + bit / 8, m_uuid.data(), m_uuid.size()) == 0)
        return Verdict::Good;
    place.report(Diagnostic::Severity::Error, "foreign-packet", "a packet of another trace: its UUID is not the metadata's");
    return Verdict::Skip;
}

void PacketScan::readSizes(const Place& place, const StreamShape& shape, const FieldScope& scope, PacketFacts& packet) const
{
    const std::uint64_t restBits = scope.packet.contentBits;
    auto content = valueOf(shape.packet.contentSize, scope);
    auto size = valueOf(shape.packet.packetSize, scope);
    if (!size || *size == 0)
        size = shape.packet.packetSize.isValid() || !content || *content == 0 ? restBits : *content;
    if (!content || *content == 0)
        content = *size;
    if (*content > *size) {
        place.report(Diagnostic::Severity::Warning, "packet-size", "a packet whose content is larger than itself");
        content = *size;
    }
    if (*size > restBits) {
        place.report(Diagnostic::Severity::Warning, "truncated-packet", "the file ends before this packet does");
        packet.isCut = true;
        size = restBits;
        content = std::min(*content, restBits);
    }
    if (*size < packet.eventsBit || *content < packet.eventsBit) {
        place.report(Diagnostic::Severity::Error, "packet-size", "a packet that is smaller than its own header");
        content = packet.eventsBit;
        size = std::max(*size, packet.eventsBit);
    }
    packet.contentBits = *content;
    packet.size = std::max<std::uint64_t>((*size + 7) / 8, 1);
}

} // namespace helio::ctf
