#include "core/formats/perfetto/packets.h"

#include "core/base/no_room.h"
#include "core/formats/perfetto/packet_head.h"
#include "core/formats/perfetto/wire.h"
#include "core/io/archive.h"
#include "core/io/unpack.h"

#include <algorithm>
#include <set>

namespace helio::perfetto {
namespace {

constexpr std::uint64_t PacketTag = 1 << 3 | 2; ///< Protobuf tag of the field Trace.packet (field number 1, length-delimited).

/// Reads the varint at `at` and moves `at` behind it. Returns nullopt if the varint is damaged or truncated.
std::optional<std::uint64_t> takeNumber(std::string_view bytes, std::uint64_t& at)
{
    const char* data = bytes.data() + at;
    try {
        const std::uint64_t number = protozero::decode_varint(&data, bytes.data() + bytes.size());
        at = static_cast<std::uint64_t>(data - bytes.data());
        return number;
    } catch (const protozero::exception&) {
        return {};
    }
}

/// Returns true if a field of a packet has a known field number, and the wire type that belongs to this number.
bool isFieldOfPacket(const WireField& field)
{
    switch (field.number) {
    case 3:
    case 8:
    case 10:
    case 13:
    case 41:
    case 42:
    case 58:
    case 79:
    case 85:
    case 87:
    case 98: return field.type == protozero::pbf_wire_type::varint;
    case 12:
    case 59: return field.isBytes();
    default: break;
    }
    if (!field.isBytes())
        return false;
    switch (field.number) {
    case payload::Ftrace:
    case payload::ProcessTree:
    case payload::ClockSnapshot:
    case payload::TrackEvent:
    case payload::TrackDescriptor: return forEachField(field.bytes, [](const WireField&) {});
    default: return !payloadName(field.number).empty() || (field.number >= 1000 && field.number < 2000);
    }
}

} // namespace

bool isPerfettoTrace(std::string_view head)
{
    // A text file may begin like a packet, because the tag of a packet is the byte of a line feed. Packets contain bytes below the tab
    // character, texts do not.
    if (std::ranges::none_of(head, [](char c) { return static_cast<unsigned char>(c) < '\t'; }))
        return false;
    constexpr int MostPackets = 16;
    std::uint64_t at = 0;
    // True if a packet was found whose fields are all known. The file is then a trace, even if it is damaged behind this packet.
    bool hasFields = false;
    for (int i = 0; i < MostPackets && at < head.size() && static_cast<unsigned char>(head[at]) == PacketTag; ++i) {
        ++at;
        const auto size = takeNumber(head, at);
        if (!size)
            break;
        const bool isCut = *size > head.size() - at;
        const std::string_view packet = head.substr(at, *size);
        bool areKnown = true;
        bool isEmpty = true;
        const bool isSound = forEachField(packet, [&](const WireField& field) {
            areKnown = areKnown && isFieldOfPacket(field);
            isEmpty = false;
        });
        if (!areKnown || (!isSound && !isCut))
            break;
        if (isCut && isEmpty) { // `head` ends within the packet's first field, e.g. a large bundle of events.
            std::uint64_t tagEnd = 0;
            const auto tag = takeNumber(packet, tagEnd);
            return hasFields || (tag && (*tag & 7) == 2 && !payloadName(static_cast<std::uint32_t>(*tag >> 3)).empty());
        }
        hasFields = hasFields || !isEmpty;
        if (isCut)
            break;
        at += *size;
    }
    return hasFields;
}

std::vector<std::uint32_t> findMachines(std::string_view head)
{
    constexpr std::size_t MostMachines = 64;
    std::uint64_t room = std::uint64_t{16} << 20;
    std::set<std::uint32_t> machines;
    const auto take = [&](const PacketHead& packet) {
        if (packet.machine != 0 && machines.size() < MostMachines)
            machines.insert(packet.machine);
    };
    forEachField(head, [&](const WireField& field) {
        if (field.number != 1 || !field.isBytes())
            return;
        const PacketHead packet = readHead(field.bytes);
        take(packet);
        if (packet.payload != payload::Compressed && packet.payload != payload::ZstdCompressed)
            return;
        const auto bytes = std::as_bytes(std::span(packet.payloadBytes));
        const auto content = packet.payload == payload::ZstdCompressed ? unpacked(bytes, room) : unpackedZlib(bytes, room);
        room -= content ? content->size() : std::min<std::uint64_t>(room, bytes.size());
        if (content)
            forEachField({reinterpret_cast<const char*>(content->data()), content->size()}, [&](const WireField& inner) {
                if (inner.number == 1 && inner.isBytes())
                    take(readHead(inner.bytes));
            });
    });
    return {machines.begin(), machines.end()};
}

void Packets::report(Diagnostic::Severity severity, const char* kind, std::uint64_t offset, std::string what)
{
    const auto same = std::ranges::find(m_diagnostics, kind, &Diagnostic::kind);
    if (same != m_diagnostics.end())
        ++same->count;
    else
        m_diagnostics.push_back({severity, kind, m_file, offset, 1, std::move(what)});
}

/// Adds the packets in `bytes`. `begin` is the position of `bytes` in the trace or in the decompressed data. `packedAt` is the offset in
/// the file of the compressed packet that contained `bytes`; nullopt if `bytes` are the trace itself. Returns the number of bytes that
/// could be read.
std::uint64_t Packets::split(std::string_view bytes, std::uint64_t begin, std::optional<std::uint64_t> packedAt,
                             const std::stop_token& stop)
{
    std::uint64_t at = 0;
    for (std::uint64_t count = 0; at < bytes.size(); ++count) {
        if (count % 4096 == 0 && stop.stop_requested())
            return at;
        const std::uint64_t start = at;
        const std::uint64_t offset = packedAt.value_or(begin + start);
        const auto tag = takeNumber(bytes, at);
        const auto size = tag && (*tag & 7) == 2 ? takeNumber(bytes, at) : std::nullopt;
        if (!size) {
            const bool isCut = bytes.size() - start < 10;
            report(Diagnostic::Severity::Error, isCut ? "truncated" : "damaged", offset,
                   isCut ? "the trace ends within a packet" : "not the begin of a packet; the rest of the trace is missing");
            return start;
        }
        if (*size > bytes.size() - at) {
            report(Diagnostic::Severity::Error, "truncated", offset,
                   "a packet has " + std::to_string(*size) + " bytes, but the trace ends after " + std::to_string(bytes.size() - at)
                       + "; the packet and what followed it are missing");
            return start;
        }
        if (*tag == PacketTag && *size > 0)
            m_places.push_back({begin + at, offset, *size, packedAt.has_value()});
        else if (*tag != PacketTag)
            report(Diagnostic::Severity::Warning, "unknown-field", offset, "a field of the trace is not a packet; it is not read");
        at += *size;
    }
    return at;
}

/// Replaces compressed packets by the packets that they contain.
Status Packets::unpackAll(const std::stop_token& stop)
{
    const UnpackLimits limits;
    const std::uint64_t most = std::min(limits.totalBytes, std::max(limits.freeBytes, limits.ratio * m_trace.size()));
    // Largest size in bytes of the decompressed content of a compressed packet; Perfetto itself writes at most 512 KiB.
    constexpr std::uint64_t LargestPacket = std::uint64_t{256} << 20;
    const std::vector<Place> packed = std::move(m_places);
    m_places.clear();
    for (const Place& place : packed) {
        if (stop.stop_requested())
            return Error{Error::Kind::Cancelled, "stopped"};
        std::string_view content;
        bool isZstd = false;
        forEachField(m_trace.substr(place.begin, place.size), [&](const WireField& field) {
            if (!field.isBytes() || (field.number != payload::Compressed && field.number != payload::ZstdCompressed))
                return;
            content = field.bytes;
            isZstd = field.number == payload::ZstdCompressed;
        });
        if (content.empty()) {
            m_places.push_back(place);
            continue;
        }
        const auto bytes = std::as_bytes(std::span(content));
        const std::uint64_t limit = std::min(LargestPacket, most - m_unpacked.bytes().size());
        const auto unpacked = isZstd ? helio::unpacked(bytes, limit) : unpackedZlib(bytes, limit);
        if (!unpacked) {
            const bool isFull = unpacked.error().kind == Error::Kind::Full;
            report(Diagnostic::Severity::Error, isFull ? NoRoom.data() : "damaged-compressed", place.offset,
                   "the packets in a compressed packet are missing: " + unpacked.error().what);
            continue;
        }
        const std::uint64_t begin = m_unpacked.bytes().size();
        if (auto done = m_unpacked.append(*unpacked); !done)
            return done;
        split({reinterpret_cast<const char*>(unpacked->data()), unpacked->size()}, begin, place.offset, stop);
    }
    const auto all = m_unpacked.bytes();
    m_unpackedText = {reinterpret_cast<const char*>(all.data()), all.size()};
    return Done{};
}

Status Packets::read(std::string_view trace, const std::string& file, const std::stop_token& stop)
{
    m_file = file;
    m_trace = trace;
    split(trace, 0, {}, stop);
    if (stop.stop_requested())
        return Error{Error::Kind::Cancelled, "stopped"};
    return unpackAll(stop);
}

} // namespace helio::perfetto
