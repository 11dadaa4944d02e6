#include "core/formats/ctf/recording/packet_index.h"

#include "core/io/mapped_file.h"

#include <cstring>
#include <span>

namespace helio::ctf {
namespace {

constexpr std::uint32_t Magic = 0xC1F1DCC1;
constexpr std::uint32_t Major = 1;
constexpr std::size_t HeaderBytes = 16;
constexpr std::size_t EntryBytes = 7 * 8; ///< Size of an entry in version 1.0.
constexpr std::size_t LongEntryBytes = 9 * 8; ///< Size of an entry since version 1.1.
constexpr std::uint32_t MostEntryBytes = 4096;

/// All numbers of an index are big-endian.
std::uint32_t get32(std::span<const std::byte> bytes, std::size_t at)
{
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return __builtin_bswap32(value);
}

std::uint64_t get64(std::span<const std::byte> bytes, std::size_t number)
{
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data() + 8 * number, sizeof value);
    return __builtin_bswap64(value);
}

std::optional<PacketIndexEntry> readEntry(std::span<const std::byte> bytes)
{
    const std::uint64_t bits = get64(bytes, 1);
    PacketIndexEntry packet{
        get64(bytes, 0), bits / 8, get64(bytes, 2), get64(bytes, 3), get64(bytes, 4), get64(bytes, 5), get64(bytes, 6), {}, {}};
    if (bytes.size() >= LongEntryBytes) {
        packet.instance = get64(bytes, 7);
        packet.sequence = get64(bytes, 8);
    }
    const bool isGood = bits > 0 && bits % 8 == 0 && packet.contentBits <= bits && packet.begin <= packet.end;
    return isGood ? std::optional(packet) : std::nullopt;
}

} // namespace

std::optional<std::vector<PacketIndexEntry>> readPacketIndex(const std::filesystem::path& streamFile, std::uint64_t streamBytes)
{
    const auto file = MappedFile::open(streamFile.parent_path() / "index" / (streamFile.filename().string() + ".idx"));
    if (!file)
        return {};
    const auto bytes = (*file)->bytes();
    if (bytes.size() <= HeaderBytes || get32(bytes, 0) != Magic || get32(bytes, 4) != Major)
        return {};
    const std::uint32_t entryBytes = get32(bytes, 12);
    if (entryBytes < EntryBytes || entryBytes > MostEntryBytes || (bytes.size() - HeaderBytes) % entryBytes != 0)
        return {};
    std::vector<PacketIndexEntry> packets;
    packets.reserve((bytes.size() - HeaderBytes) / entryBytes);
    std::uint64_t end = 0;
    for (std::size_t at = HeaderBytes; at < bytes.size(); at += entryBytes) {
        const auto packet = readEntry(bytes.subspan(at, entryBytes));
        if (!packet || packet->offset != end || packet->size > streamBytes - end)
            return {};
        end += packet->size;
        packets.push_back(*packet);
    }
    if (end != streamBytes || (*file)->wasTruncated())
        return {};
    return packets;
}

} // namespace helio::ctf
