#pragma once

#include "core/formats/ctf/recording/packet_index.h"
#include "core/formats/ctf/recording/packet_reader.h"

#include <functional>

namespace helio::ctf {

/// Finds the packets of files by their headers and contexts.
class PacketScan {
public:
    PacketScan(const std::vector<StreamShape>& shapes, std::string_view uuid);

    /// Appends the file's packets, and the bytes between them that are none (PacketFacts::fault). `goOn` is asked after each; false: leaves
    /// off.
    ///
    /// Cost: one page read a packet; a handful of them where the tracer left an index and these say what it says. Behind damage up to
    /// 64 MiB are searched for the next packet.
    void scan(const MappedFile& file, std::vector<PacketFacts>& packets, std::vector<Diagnostic>& diagnostics,
              const std::function<bool()>& goOn);

    const PacketReader& reader() const { return m_reader; }

    /// True if packets were found, and all of them have the same UUID, which is not the metadata's. They are the trace's own from now on.
    bool adoptForeign();

private:
    bool scanByIndex(const MappedFile& file, std::vector<PacketFacts>& packets);
    void noteUuid(const MappedFile& file, const PacketFacts& packet);

    PacketReader m_reader;
    bool m_hasOwn = false; ///< A packet with the metadata's UUID was found.
    std::optional<UuidBytes> m_foreign; ///< UUID of the first foreign packet.
    bool m_isForeignUnique = true;
};

} // namespace helio::ctf
