#pragma once

#include "core/formats/ctf/recording/packet_index.h"
#include "core/formats/ctf/shape/stream_shape.h"
#include "core/io/mapped_file.h"

#include <array>
#include <functional>
#include <optional>

namespace helio::ctf {

/// A packet as its own header and context describe it, corrected where they cannot be true.
struct PacketFacts {
    std::uint32_t file = 0; ///< Index of its file; set by who has several.
    std::uint32_t shape = 0; ///< Index of its stream class's StreamShape.
    std::uint64_t offset = 0; ///< Bytes from the start of the file.
    std::uint64_t size = 0; ///< Bytes.
    std::uint64_t contentBits = 0;
    std::uint64_t contextBit = 0;
    std::uint64_t eventsBit = 0; ///< After the context.
    std::optional<std::uint64_t> instance;
    std::optional<std::uint64_t> begin; ///< Clock values.
    std::optional<std::uint64_t> end;
    std::optional<std::uint64_t> discarded;
    std::optional<std::uint64_t> sequence;
    std::int32_t cpu = -1;
    bool isCut = false; ///< The file ends before this packet does, or within the next one's header.
    bool operator==(const PacketFacts&) const = default;
};

/// Repeated diagnostics are counted, not listed.
void report(std::vector<Diagnostic>& all, Diagnostic diagnostic);

/// Finds a file's packets by their headers and contexts.
class PacketScan {
public:
    PacketScan(const Metadata& metadata, const std::vector<StreamShape>& shapes);

    /// Appends the file's packets. What cannot be a packet ends the file and is reported. `goOn` is asked after each; false: leaves off.
    ///
    /// Cost: one page read a packet; a handful of them where the tracer left an index and these say what it says.
    void scan(const MappedFile& file, std::vector<PacketFacts>& packets, std::vector<Diagnostic>& diagnostics,
              const std::function<bool()>& goOn) const;

private:
    enum class Verdict : std::uint8_t { Good, Skip, Stop };
    struct Place {
        const MappedFile& file;
        std::uint64_t offset;
        std::vector<Diagnostic>& diagnostics;
        void report(Diagnostic::Severity severity, std::string kind, std::string what) const;
    };

    bool scanByIndex(const MappedFile& file, std::vector<PacketFacts>& packets) const;
    Verdict readPacket(const Place& place, PacketFacts& packet) const;
    Verdict checkHeader(const Place& place, const StreamShape& shape, const FieldScope& scope) const;
    const StreamShape* chooseShape(const Place& place, const FieldScope& scope, PacketFacts& packet) const;
    void readSizes(const Place& place, const StreamShape& shape, const FieldScope& scope, PacketFacts& packet) const;

    const Metadata& m_metadata;
    const std::vector<StreamShape>& m_shapes;
    std::array<std::byte, 16> m_uuid{};
};

} // namespace helio::ctf
