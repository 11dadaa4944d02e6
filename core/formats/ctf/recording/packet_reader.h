#pragma once

#include "core/formats/ctf/shape/stream_shape.h"
#include "core/io/mapped_file.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace helio::ctf {

/// Why bytes are not read as a packet of their trace.
enum class PacketFault : std::uint8_t {
    None, ///< They are a packet.
    NoMagic,
    OtherByteOrder,
    OtherUuid,
    UnknownStream,
    NoSize, ///< Its size is 0, and neither magic nor UUID says that it is a packet.
    WrongSize, ///< Its size is impossible, and neither magic nor UUID says that it is a packet.
    CutHeader, ///< The file ends within the header.
    UnlikeIndex, ///< The tracer's index describes another packet.
};

/// The 16 bytes of a UUID.
using UuidBytes = std::array<std::byte, 16>;

/// A packet as its own header and context describe it, corrected where they cannot be true; or bytes that are no packet, up to the next
/// one or to the end of the file.
struct PacketFacts {
    std::uint32_t file = 0; ///< Index of its file; set by StreamBuilder.
    std::uint32_t shape = 0; ///< Index of its stream class's StreamShape.
    std::uint64_t offset = 0; ///< Bytes from the start of the file.
    std::uint64_t size = 0; ///< Bytes.
    std::uint64_t contentBits = 0;
    std::uint64_t contextBit = 0;
    std::uint64_t eventsBit = 0; ///< After the context.
    std::optional<std::uint64_t> instance;
    std::optional<std::uint64_t> begin; ///< Clock values. Of bytes that are no packet: that of the packet beside them, to sort them by.
    std::optional<std::uint64_t> end;
    std::optional<std::uint64_t> discarded;
    std::optional<std::uint64_t> sequence;
    std::int32_t cpu = -1;
    PacketFault fault = PacketFault::None;
    bool isCut = false; ///< The file ends before this packet does.
    bool isIndexed = false; ///< The tracer's index describes it; its own header was not read yet.

    bool isPacket() const { return fault == PacketFault::None; }
    bool operator==(const PacketFacts&) const = default;
};

/// Repeated diagnostics are counted, not listed.
void report(std::vector<Diagnostic>& all, Diagnostic diagnostic);

/// The diagnostic about bytes that are no packet. `number`: how many packets lie before them in their stream; none: the file has no packet.
Diagnostic describeFault(const MappedFile& file, const PacketFacts& packet, std::optional<std::size_t> number);

/// Reads the headers and contexts of packets. The shapes must outlive it.
class PacketReader {
public:
    /// `uuid`: the metadata's; empty: packets of all UUIDs are read.
    PacketReader(const std::vector<StreamShape>& shapes, std::string_view uuid);

    /// The packet at the offset, which lies within the file. `diagnostics`: gets what was corrected; null: nothing is reported.
    PacketFacts read(const MappedFile& file, std::uint64_t offset, std::vector<Diagnostic>* diagnostics = nullptr) const;

    /// The UUID in the header of the packet, which has been read.
    std::optional<UuidBytes> uuidAt(const MappedFile& file, const PacketFacts& packet) const;

    std::uint64_t streamId(const PacketFacts& packet) const { return (*m_shapes)[packet.shape].id; }

    /// From now on packets with this UUID are the trace's.
    void expect(const UuidBytes& uuid) { m_uuid = uuid; }

    /// The bytes of the magic number and how far they lie from the packet's begin. Empty where packets have none on a constant byte.
    struct Magic {
        std::array<std::byte, 4> bytes{};
        std::uint64_t offset = 0;
    };
    std::optional<Magic> magic() const;

private:
    bool chooseShape(const FieldScope& scope, PacketFacts& packet) const;
    PacketFault checkHeader(const StreamShape& shape, const FieldScope& scope) const;
    void readSizes(const StreamShape& shape, const FieldScope& scope, PacketFacts& packet, const MappedFile& file,
                   std::vector<Diagnostic>* diagnostics) const;

    const std::vector<StreamShape>* m_shapes;
    std::optional<UuidBytes> m_uuid;
};

} // namespace helio::ctf
