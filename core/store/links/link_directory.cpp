#include "core/store/links/link_directory.h"

#include "core/store/file/xxh3.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <memory>

namespace helio {

void putLinkRecord(const LinkEncoder::Encoded& block, std::uint64_t offset, std::vector<std::byte>& out)
{
    LinkBlockEntry entry = block.block;
    entry.offset = offset;
    entry.length = static_cast<std::uint32_t>(block.bytes.size());
    entry.hash = static_cast<std::uint32_t>(XXH3_64bits(block.bytes.data(), block.bytes.size()));
    entry.trackCount = static_cast<std::uint32_t>(block.tracks.size());
    const auto head = std::as_bytes(std::span(&entry, 1));
    const auto tracks = std::as_bytes(block.tracks);
    out.insert(out.end(), head.begin(), head.end());
    out.insert(out.end(), tracks.begin(), tracks.end());
}

void placeLinkRecord(std::span<std::byte> record, std::uint64_t offset)
{
    std::memcpy(record.data() + offsetof(LinkBlockEntry, offset), &offset, sizeof offset);
}

LinkDirectory::LinkDirectory(const FileBytes& records)
    : m_records(records)
{
    for (std::uint64_t at = 0; at < records.size();) {
        const LinkBlockEntry entry = entryAt(at);
        m_order.push_back({entry.firstFrom, at});
        at += sizeof entry + std::uint64_t(entry.trackCount) * sizeof(std::uint32_t);
    }
    std::stable_sort(m_order.begin(), m_order.end(),
                     [](const RecordPosition& a, const RecordPosition& b) { return a.firstFrom < b.firstFrom; });
}

LinkBlockEntry LinkDirectory::entryAt(std::uint64_t record) const
{
    LinkBlockEntry entry;
    std::memcpy(&entry, m_records.at(record), sizeof entry);
    return entry;
}

void LinkDirectory::writeBlocks(const Out& out) const
{
    std::uint64_t tracks = 0;
    for (const RecordPosition& place : m_order) {
        LinkBlockEntry entry = entryAt(place.record);
        entry.firstTrack = tracks;
        tracks += entry.trackCount;
        out(std::as_bytes(std::span(&entry, 1)));
    }
}

void LinkDirectory::writeTracks(const Out& out) const
{
    for (const RecordPosition& place : m_order)
        out({m_records.at(place.record) + sizeof(LinkBlockEntry), entryAt(place.record).trackCount * sizeof(std::uint32_t)});
}

LinkDirectoryBytes LinkDirectory::inMemory() const
{
    const auto sections = std::make_shared<std::array<ByteWriter, 2>>();
    auto& [blocks, tracks] = *sections;
    writeBlocks([&blocks](std::span<const std::byte> bytes) { blocks.append(bytes); });
    writeTracks([&tracks](std::span<const std::byte> bytes) { tracks.append(bytes); });
    return {blocks.bytes(), tracks.bytes(), sections};
}

} // namespace helio
