#pragma once

#include "core/base/diagnostic.h"
#include "core/base/result.h"
#include "core/io/spill_buffer.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace helio::perfetto {

/// Packets of a trace (Trace.packet), including the packets inside compressed packets, without empty packets.
///
/// Memory: 32 bytes for each packet. Decompressed packets are in a temporary file, so that the kernel can write them to disk.
class Packets {
public:
    /// Finds the packets of `trace`. `file` is the name of the trace in diagnostics. Damage ends the search; diagnostics() tells where.
    /// Ownership: `trace` must outlive this object.
    /// Errors: Cancelled soon after `stop` is requested; Full if there is no room for decompressed packets.
    Status read(std::string_view trace, const std::string& file, const std::stop_token& stop);

    std::size_t size() const { return m_places.size(); }
    /// Returns the size of the trace plus the size of its decompressed packets, in bytes.
    std::uint64_t contentSize() const { return m_trace.size() + m_unpackedText.size(); }
    /// Returns the bytes of a packet (message TracePacket). They stay valid as long as this object exists.
    std::string_view operator[](std::size_t i) const
    {
        const Place& place = m_places[i];
        const std::string_view from = place.isUnpacked ? m_unpackedText : m_trace;
        return from.substr(place.begin, place.size);
    }
    /// Returns the offset of a packet in the file. If the packet was compressed, it is the offset of the compressed packet that contains
    /// it.
    std::uint64_t offsetOf(std::size_t i) const { return m_places[i].offset; }

    const std::vector<Diagnostic>& diagnostics() const { return m_diagnostics; }

private:
    struct Place {
        std::uint64_t begin = 0;
        std::uint64_t offset = 0;
        std::uint64_t size = 0;
        bool isUnpacked = false;
    };

    std::uint64_t split(std::string_view bytes, std::uint64_t begin, std::optional<std::uint64_t> packedAt, const std::stop_token& stop);
    Status unpackAll(const std::stop_token& stop);
    void report(Diagnostic::Severity severity, const char* kind, std::uint64_t offset, std::string what);

    std::string m_file;
    std::string_view m_trace;
    std::vector<Place> m_places;
    SpillBuffer m_unpacked;
    std::string_view m_unpackedText; ///< All decompressed packets: the content of m_unpacked.
    std::vector<Diagnostic> m_diagnostics;
};

/// Returns the IDs of the machines in a trace that begins with `head`, in ascending order, without 0. `head` may end within a packet.
/// Cost: decompresses at most 16 MiB of compressed packets.
std::vector<std::uint32_t> findMachines(std::string_view head);

/// Returns true if a file that begins with `head` is a trace of Perfetto. `head` may end within a packet.
bool isPerfettoTrace(std::string_view head);

} // namespace helio::perfetto
