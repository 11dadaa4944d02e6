#include "core/formats/ctf/recording/packet_scanner.h"

#include "core/io/mapped_file.h"

#include <algorithm>
#include <cstring>
#include <span>

namespace helio::ctf {
namespace {

constexpr std::uint32_t Magic = 0xC1F1DCC1;
constexpr std::uint32_t Major = 1;
constexpr std::size_t HeaderBytes = 16;
constexpr std::size_t EntryBytes = 7 * 8; ///< Size in bytes of an entry of LTTng's packet index in version 1.0.
constexpr std::size_t LongEntryBytes = 9 * 8; ///< Size in bytes of an entry of LTTng's packet index since version 1.1.
constexpr std::uint32_t MostEntryBytes = 4096;

/// Reads a 32-bit number from a packet index; all its numbers are big-endian.
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

/// Returns the maximum number of packets in a file of this size: many more than a tracer writes, but too few to fill the memory.
std::uint64_t maxPacketCount(std::uint64_t bytes) { return bytes / 64 + (1 << 16); }

/// Minimum size in bytes of packets that are read with random access, header by header. Files with smaller packets are read sequentially,
/// which is faster on disks.
constexpr std::uint64_t FarApart = 128 << 10;

/// Number of packets whose headers are compared with the index.
constexpr std::size_t Samples = 8;

/// Returns the packet that an index entry describes. Values that entries do not contain are copied from the first packet of the file.
PacketDescription indexed(const PacketIndexEntry& entry, const PacketDescription& first)
{
    PacketDescription packet = first;
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

/// True if the size of the packet is known, even if the packet belongs to another trace.
bool hasHeader(const PacketDescription& packet) { return packet.isPacket() || packet.fault == PacketFault::OtherUuid; }

/// Searches for the next packet after unreadable bytes.
class PacketSearch {
public:
    PacketSearch(const PacketReader& reader, const MappedFile& file, std::uint64_t& budget, const std::function<bool()>& goOn)
        : m_reader(reader)
        , m_file(file)
        , m_budget(budget)
        , m_goOn(goOn)
    {
    }

    /// Returns the offset of the next packet after `offset`, or the size of the file if there is none. `before` is the last readable
    /// packet; nullptr if there is none.
    std::uint64_t findBehind(std::uint64_t offset, const PacketDescription* before)
    {
        const auto magic = m_reader.magic();
        if (before && isPacket(offset + before->size, magic ? nullptr : before))
            return offset + before->size;
        return magic ? findMagic(*magic, offset + 1) : before ? findBySize(*before, offset + 2 * before->size) : size();
    }

private:
    static constexpr std::uint64_t MostSearched = std::uint64_t{64} << 20; ///< Maximum number of bytes that are searched for a packet.
    /// Number of bytes to search between two calls of m_goOn(), which asks whether to continue.
    static constexpr std::uint64_t Step = std::uint64_t{1} << 20;

    std::uint64_t size() const { return m_file.bytes().size(); }

    /// True if a packet begins at `offset`. Without a magic number, the packet must resemble `like`; with a magic number, `like` is
    /// nullptr.
    bool isPacket(std::uint64_t offset, const PacketDescription* like)
    {
        if (offset >= size() || m_budget == 0)
            return false;
        --m_budget;
        std::vector<Diagnostic> problems;
        const PacketDescription found = m_reader.read(m_file, offset, &problems);
        if (!hasHeader(found) || std::ranges::any_of(problems, [](const Diagnostic& it) { return it.kind == "packet-size"; }))
            return false;
        return !like || (found.size == like->size && found.instance == like->instance && found.begin >= like->begin);
    }

    std::uint64_t findBySize(const PacketDescription& before, std::uint64_t from)
    {
        for (std::uint64_t at = from; at < size() && m_budget > 0 && m_goOn(); at += before.size)
            if (isPacket(at, &before))
                return at;
        return size();
    }

    std::uint64_t findMagic(const PacketReader::Magic& magic, std::uint64_t from)
    {
        const auto bytes = m_file.bytes();
        const std::uint64_t end = std::min<std::uint64_t>(bytes.size(), from + MostSearched);
        m_file.advise(MappedFile::Advice::Sequential, from, end - std::min(from, end));
        for (std::uint64_t at = from + magic.offset; at < end && m_budget > 0 && m_goOn();) {
            const std::uint64_t stepEnd = std::min(end, at + Step);
            const auto window = bytes.subspan(at, std::min<std::uint64_t>(stepEnd + magic.bytes.size() - 1, bytes.size()) - at);
            const auto hit = std::search(window.begin(), window.end(), magic.bytes.begin(), magic.bytes.end());
            if (hit == window.end()) {
                at = stepEnd;
                continue;
            }
            at += static_cast<std::uint64_t>(hit - window.begin());
            if (isPacket(at - magic.offset, nullptr))
                return at - magic.offset;
            ++at;
        }
        return bytes.size();
    }

    const PacketReader& m_reader;
    const MappedFile& m_file;
    std::uint64_t& m_budget;
    const std::function<bool()>& m_goOn;
};

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

PacketScanner::PacketScanner(const std::vector<StreamClassLayout>& shapes, std::string_view uuid)
    : m_reader(shapes, uuid)
{
}

void PacketScanner::scan(const MappedFile& file, std::vector<PacketDescription>& packets, std::vector<Diagnostic>& diagnostics,
                         const std::function<bool()>& goOn)
{
    if (scanByIndex(file, packets))
        return;
    const std::uint64_t size = file.bytes().size();
    std::uint64_t left = maxPacketCount(size);
    PacketSearch search(m_reader, file, left, goOn);
    std::optional<PacketDescription> good; // Last readable packet that was found so far.
    file.advise(MappedFile::Advice::Random); // Advise random access, so that the kernel does not read megabytes around each header.
    for (std::uint64_t offset = 0; offset < size && goOn();) {
        if (left == 0) {
            report(diagnostics,
                   {Diagnostic::Severity::Error, "too-many-packets", file.path().string(), offset, 1,
                    "the file has too many packets for its size"});
            break;
        }
        --left;
        PacketDescription packet = m_reader.read(file, offset, &diagnostics);
        if (hasHeader(packet))
            good = packet;
        else
            packet.size = search.findBehind(offset, good ? &*good : nullptr) - offset;
        noteUuid(file, packet);
        packets.push_back(packet);
        if (offset == 0 && packet.size < FarApart)
            file.advise(MappedFile::Advice::Normal);
        offset += packet.size;
    }
    file.advise(MappedFile::Advice::Normal);
}

/// Appends the packets from the tracer's index if the index agrees with the headers of a few evenly chosen packets. Otherwise appends
/// nothing and returns false.
bool PacketScanner::scanByIndex(const MappedFile& file, std::vector<PacketDescription>& packets)
{
    const auto index = readPacketIndex(file.path(), file.bytes().size());
    if (!index || index->size() <= Samples)
        return false;
    file.advise(MappedFile::Advice::Random);
    std::vector<Diagnostic> problems;
    PacketDescription first;
    bool isTrue = true;
    for (std::size_t i = 0; i < Samples && isTrue; ++i) {
        const PacketIndexEntry& entry = (*index)[i * (index->size() - 1) / (Samples - 1)];
        const PacketDescription packet = m_reader.read(file, entry.offset, &problems);
        if (i == 0)
            first = packet;
        isTrue = packet.isPacket() && problems.empty() && packet == indexed(entry, first);
    }
    file.advise(MappedFile::Advice::Normal);
    const auto isOfFirst = [&](const PacketIndexEntry& entry) { return entry.streamClassId == m_reader.streamId(first); };
    if (!isTrue || !std::all_of(index->begin(), index->end(), isOfFirst))
        return false;
    noteUuid(file, first);
    for (const PacketIndexEntry& entry : *index) {
        packets.push_back(indexed(entry, first));
        packets.back().isIndexed = true;
    }
    return true;
}

void PacketScanner::noteUuid(const MappedFile& file, const PacketDescription& packet)
{
    m_hasOwn |= packet.isPacket();
    if (packet.fault != PacketFault::OtherUuid)
        return;
    const auto uuid = m_reader.uuidAt(file, packet);
    m_isForeignUnique &= !m_foreign || m_foreign == uuid;
    m_foreign = uuid;
}

bool PacketScanner::adoptForeign()
{
    if (m_hasOwn || !m_foreign || !m_isForeignUnique)
        return false;
    m_reader.expect(*m_foreign);
    return true;
}

} // namespace helio::ctf
