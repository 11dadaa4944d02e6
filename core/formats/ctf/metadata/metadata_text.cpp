// Format: a metadata file is either plain text or a sequence of packets. A packet consists of a 37-byte header and a part of the text.
// Fields of the header: magic, uuid[16], checksum, content size, packet size (bits), compression, encryption and checksum scheme, major,
// minor.

#include "core/formats/ctf/shape/ctf_metadata.h"

#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <span>

namespace helio::ctf {
namespace {

constexpr std::uint32_t PacketMagic = 0x75D11D57;
constexpr std::size_t HeaderBytes = 37;

struct PacketHeader {
    std::uint64_t contentBytes = 0;
    std::uint64_t packetBytes = 0;
    unsigned compression = 0;
    unsigned encryption = 0;
    unsigned major = 0;
};

std::uint32_t loadWord(std::span<const std::byte> bytes, std::size_t at, bool isSwapped)
{
    std::array<std::uint8_t, 4> raw{};
    std::memcpy(raw.data(), bytes.data() + at, 4);
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i)
        value |= std::uint32_t(raw[isSwapped ? 3 - i : i]) << (8 * i);
    return value;
}

PacketHeader headerAt(std::span<const std::byte> bytes, bool isBig)
{
    PacketHeader header;
    header.contentBytes = loadWord(bytes, 24, isBig) / 8;
    header.packetBytes = loadWord(bytes, 28, isBig) / 8;
    header.compression = std::to_integer<unsigned>(bytes[32]);
    header.encryption = std::to_integer<unsigned>(bytes[33]);
    header.major = std::to_integer<unsigned>(bytes[35]);
    return header;
}

/// Reason why a metadata packet cannot be read.
struct PacketFault {
    Error::Kind kind = Error::Kind::Corrupt;
    std::string what;
    bool hasText = false; ///< True if the file contains the start of the packet's text.
};

std::optional<PacketFault> readHeader(std::span<const std::byte> bytes, PacketHeader& header)
{
    if (bytes.size() < HeaderBytes)
        return PacketFault{Error::Kind::Corrupt, "the metadata is cut off"};
    const bool isBig = loadWord(bytes, 0, true) == PacketMagic;
    if (!isBig && loadWord(bytes, 0, false) != PacketMagic)
        return PacketFault{Error::Kind::Corrupt, "not a metadata packet"};
    header = headerAt(bytes, isBig);
    if (header.compression || header.encryption)
        return PacketFault{Error::Kind::Unsupported, "the metadata is compressed or encrypted"};
    if (header.major != 1)
        return PacketFault{Error::Kind::Unsupported, "metadata of CTF version " + std::to_string(header.major)};
    if (header.contentBytes < HeaderBytes || header.packetBytes < header.contentBytes)
        return PacketFault{Error::Kind::Corrupt, "a metadata packet with impossible sizes"};
    if (header.contentBytes > bytes.size())
        return PacketFault{Error::Kind::Corrupt, "the metadata is cut off", true};
    return {};
}

std::string_view textOf(std::span<const std::byte> bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

} // namespace

Result<MetadataText> metadataText(std::span<const std::byte> bytes, const std::string& fileName)
{
    const auto isMagic = [&](bool isBig) { return bytes.size() >= 4 && loadWord(bytes, 0, isBig) == PacketMagic; };
    if (!isMagic(false) && !isMagic(true))
        return MetadataText{std::string(textOf(bytes)), {}};

    MetadataText result;
    for (std::size_t at = 0; at < bytes.size();) {
        const auto rest = bytes.subspan(at);
        PacketHeader header;
        auto fault = readHeader(rest, header);
        if (fault && at == 0 && !fault->hasText)
            return Error{fault->kind, fileName + ": " + fault->what + " (at byte 0)"};
        if (fault && fault->hasText) // The packet is damaged, but its text begins: keep the text up to the end of the file.
            result.text += textOf(rest.subspan(HeaderBytes));
        if (fault) {
            result.damage = {Diagnostic::Severity::Error,
                             "damaged-metadata",
                             fileName,
                             at,
                             1,
                             fault->what + " (at byte " + std::to_string(at) + "); declarations after it are unknown"};
            return result;
        }
        result.text += textOf(rest.subspan(HeaderBytes, header.contentBytes - HeaderBytes));
        at += std::min<std::uint64_t>(header.packetBytes, rest.size());
    }
    return result;
}

bool isJsonMetadata(std::span<const std::byte> bytes)
{
    for (const auto byte : bytes) {
        const auto c = std::to_integer<char>(byte);
        if (c == ' ' || c == '\n' || c == '\r' || c == '\t')
            continue;
        return c == '\x1e' || c == '{' || c == '[';
    }
    return false;
}

const Clock* Metadata::findClock(std::string_view name) const
{
    for (const auto& clock : clocks)
        if (clock.name == name)
            return &clock;
    return nullptr;
}

} // namespace helio::ctf
