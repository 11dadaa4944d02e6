#pragma once

#include "core/formats/ctf/recording/packet_reader.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

namespace helio::ctf {

/// Entry of the index of packets that LTTng writes for each stream file.
struct PacketIndexEntry {
    std::uint64_t offset = 0; ///< Offset of the packet in bytes from the start of the stream file.
    std::uint64_t size = 0; ///< Size of the packet in bytes.
    std::uint64_t contentBits = 0;
    std::uint64_t begin = 0; ///< Clock value at the start of the packet.
    std::uint64_t end = 0; ///< Clock value at the end of the packet.
    std::uint64_t discarded = 0; ///< Value of the tracer's counter of lost events.
    std::uint64_t streamClassId = 0; ///< Id of the packet's stream class; `instance` identifies the stream itself.
    std::optional<std::uint64_t> instance; ///< Instance id of the stream; nullopt before version 1.1 of the index.
    std::optional<std::uint64_t> sequence; ///< Sequence number of the packet; nullopt before version 1.1 of the index.
};

/// Returns the packets of a stream file from its index (folder/index/name.idx), in file order; nullopt if there is no plausible index. In a
/// plausible index, the packets fill the stream file without gaps. The caller must compare the index with the headers of the packets.
///
/// Cost: reads the index, not the stream file.
std::optional<std::vector<PacketIndexEntry>> readPacketIndex(const std::filesystem::path& streamFile, std::uint64_t streamBytes);

/// Finds the packets of stream files by their headers and contexts, or by an index.
class PacketScanner {
public:
    PacketScanner(const std::vector<StreamClassLayout>& shapes, std::string_view uuid);

    /// Appends the packets of the file and the unreadable bytes between them (PacketDescription::fault). Calls `goOn` after each element
    /// and stops if `goOn` returns false.
    ///
    /// Cost: reads one page for each packet, or only a few pages in total if the file has an index that agrees with a few packets. After
    /// damage, searches up to 64 MiB for the next packet.
    void scan(const MappedFile& file, std::vector<PacketDescription>& packets, std::vector<Diagnostic>& diagnostics,
              const std::function<bool()>& goOn);

    const PacketReader& reader() const { return m_reader; }

    /// Accepts the packets with a foreign UUID if no packet has the metadata's UUID and all packets have one common UUID. Otherwise returns
    /// false and accepts none.
    bool adoptForeign();

private:
    bool scanByIndex(const MappedFile& file, std::vector<PacketDescription>& packets);
    void noteUuid(const MappedFile& file, const PacketDescription& packet);

    PacketReader m_reader;
    bool m_hasOwn = false; ///< True if any packet with the metadata's UUID was found.
    /// Last UUID of a packet that differs from the metadata's UUID; nullopt if no packet has another UUID.
    std::optional<UuidBytes> m_foreign;
    bool m_isForeignUnique = true; ///< True if all packets with a UUID other than the metadata's have the same UUID.
};

} // namespace helio::ctf
