#include "tests/bench/amplifier/packed_metadata.h"

#include "core/io/mapped_file.h"

#include <algorithm>
#include <cctype>
#include <random>

namespace helio::bench {
namespace {

constexpr std::uint32_t Magic = 0x75D11D57;
constexpr std::size_t HeaderBytes = 37;
constexpr std::size_t PacketBytes = 4096;

void appendWord(std::string& bytes, std::uint32_t value, ByteOrder order)
{
    for (int i = 0; i < 4; ++i)
        bytes += static_cast<char>(value >> 8 * (order == ByteOrder::Little ? i : 3 - i));
}

} // namespace

std::string textOf(const Uuid& uuid)
{
    constexpr std::string_view Digits = "0123456789abcdef";
    std::string text;
    for (std::size_t i = 0; i < uuid.size(); ++i) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            text += '-';
        text.append(1, Digits[uuid[i] >> 4]).append(1, Digits[uuid[i] & 15]);
    }
    return text;
}

Uuid makeUuid(const std::string& seed)
{
    std::seed_seq sequence(seed.begin(), seed.end());
    std::mt19937 random(sequence);
    Uuid uuid;
    for (auto& byte : uuid)
        byte = static_cast<std::uint8_t>(random());
    uuid[6] = static_cast<std::uint8_t>(0x40 | (uuid[6] & 0x0f)); // UUID version 4 (random).
    uuid[8] = static_cast<std::uint8_t>(0x80 | (uuid[8] & 0x3f));
    return uuid;
}

Result<MetadataText> MetadataText::read(const std::filesystem::path& folder)
{
    const auto path = folder / "metadata";
    const auto file = MappedFile::open(path);
    if (!file)
        return file.error();
    const auto bytes = (*file)->bytes();
    auto whole = ctf::metadataText(bytes, path.string());
    if (!whole)
        return whole.error();
    if (whole->damage)
        return Error{Error::Kind::Corrupt, path.string() + ": " + whole->damage->what};
    std::string& text = whole->text;
    if (ctf::isJsonMetadata(std::as_bytes(std::span(text))))
        return Error{Error::Kind::Unsupported, path.string() + ": CTF 2 is not repeated, only CTF 1.8"};
    auto metadata = ctf::parseTsdl(text, path.string());
    if (!metadata)
        return metadata.error();
    if (!metadata->damages.empty())
        return Error{Error::Kind::Corrupt, path.string() + ": " + metadata->damages.front().what};
    const bool isPacked = text.size() != bytes.size();
    return MetadataText{std::move(text), std::move(*metadata), isPacked};
}

Result<std::string> MetadataText::withUuid(const Uuid& uuid) const
{
    if (metadata.uuid.empty())
        return text;
    const auto isSame = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
    const auto at = std::search(text.begin(), text.end(), metadata.uuid.begin(), metadata.uuid.end(), isSame);
    std::string changed = text;
    if (at != text.end())
        changed.replace(static_cast<std::size_t>(at - text.begin()), metadata.uuid.size(), textOf(uuid));
    const auto proof = ctf::parseTsdl(changed, "metadata");
    if (!proof || proof->uuid != textOf(uuid))
        return Error{Error::Kind::Unsupported, "the metadata's UUID is not where it is expected"};
    return changed;
}

std::string packed(const std::string& text, const Uuid& uuid, ByteOrder order)
{
    std::string bytes;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t size = std::min(text.size() - at, PacketBytes - HeaderBytes);
        appendWord(bytes, Magic, order);
        bytes.append(uuid.begin(), uuid.end());
        appendWord(bytes, 0, order); // Checksum of the packet: 0, because it is not used.
        appendWord(bytes, static_cast<std::uint32_t>((HeaderBytes + size) * 8), order);
        appendWord(bytes, PacketBytes * 8, order);
        bytes.append({0, 0, 0, 1, 8}); // Compression, encryption and checksum: none; CTF version 1.8.
        bytes.append(text, at, size);
        bytes.append(PacketBytes - HeaderBytes - size, '\0');
        at += size;
    }
    return bytes;
}

} // namespace helio::bench
