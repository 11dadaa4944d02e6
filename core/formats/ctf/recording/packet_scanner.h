#pragma once

#include "core/formats/ctf/recording/packet_reader.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

namespace helio::ctf {

/// Entry of LTTng's packet index.
struct PacketIndexEntry {
    std::uint64_t offset = 0; ///< Bytes from the start of the stream file.
    std::uint64_t size = 0; ///< Bytes.
    std::uint64_t contentBits = 0;
    std::uint64_t begin = 0; ///< Clock value.
    std::uint64_t end = 0; ///< Clock value.
    std::uint64_t discarded = 0; ///< Counter of lost events.
    std::uint64_t stream = 0; ///< Id of its stream class.
    std::optional<std::uint64_t> instance; ///< Present since version 1.1 of the index.
    std::optional<std::uint64_t> sequence; ///< Present since version 1.1 of the index.
};

/// Returns the packets of a stream file from its index (folder/index/name.idx), in file order. Empty if there is no plausible index: its
/// packets must fill the stream file without gaps. The caller must compare the index with the packets' own headers.
///
/// Cost: reads only the index, not the stream file.
std::optional<std::vector<PacketIndexEntry>> readPacketIndex(const std::filesystem::path& streamFile, std::uint64_t streamBytes);

/// Finds the packets of stream files by their headers and contexts.
class PacketScanner {
public:
    PacketScanner(const std::vector<StreamClassLayout>& shapes, std::string_view uuid);

    /// Appends the file's packets, and the unreadable bytes between them (PacketDescription::fault). Calls `goOn` after each and stops if
    /// it returns false.
    ///
    /// Cost: one page is read for each packet; only a few pages if the tracer left an index that agrees with a few packets. After damage,
    /// up to 64 MiB are searched for the next packet.
    void scan(const MappedFile& file, std::vector<PacketDescription>& packets, std::vector<Diagnostic>& diagnostics,
              const std::function<bool()>& goOn);

    const PacketReader& reader() const { return m_reader; }

    /// Accepts all packets as the trace's own if they have one and the same UUID that differs from the metadata's. Returns false, and
    /// accepts nothing, otherwise.
    bool adoptForeign();

private:
    bool scanByIndex(const MappedFile& file, std::vector<PacketDescription>& packets);
    void noteUuid(const MappedFile& file, const PacketDescription& packet);

    PacketReader m_reader;
    bool m_hasOwn = false; ///< True if a packet with the metadata's UUID was found.
    std::optional<UuidBytes> m_foreign; ///< UUID of the last foreign packet; empty if there is none.
    bool m_isForeignUnique = true; ///< True if all foreign packets have the same UUID.
};

} // namespace helio::ctf
