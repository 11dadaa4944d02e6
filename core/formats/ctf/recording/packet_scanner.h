#pragma once

#include "core/formats/ctf/recording/packet_index.h"
#include "core/formats/ctf/recording/packet_reader.h"

#include <functional>

namespace helio::ctf {

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
