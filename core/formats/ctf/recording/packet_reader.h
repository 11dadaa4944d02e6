#pragma once

#include "core/formats/ctf/shape/stream_class_layout.h"
#include "core/io/mapped_file.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace helio::ctf {

/// Reason why bytes are not read as a packet of their trace.
enum class PacketFault : std::uint8_t {
    None, ///< The bytes are a packet of the trace.
    NoMagic,
    OtherByteOrder,
    OtherUuid,
    UnknownStream,
    NoSize, ///< The size is 0, and packets have neither a magic number nor a UUID.
    WrongSize, ///< The size is impossible, and packets have neither a magic number nor a UUID.
    CutHeader, ///< The file ends within the header.
    UnlikeIndex, ///< The tracer's index describes another packet.
};

/// The 16 bytes of a UUID.
using UuidBytes = std::array<std::byte, 16>;

/// A packet as its own header and context describe it, with impossible values corrected; or, if `fault` is set, unreadable bytes up to the
/// next packet or the end of the file.
struct PacketDescription {
    std::uint32_t file = 0; ///< Index into StreamData::files; set by StreamBuilder.
    std::uint32_t shape = 0; ///< Index of the StreamClassLayout of the packet's stream class.
    std::uint64_t offset = 0; ///< Bytes from the start of the file.
    std::uint64_t size = 0; ///< Bytes.
    std::uint64_t contentBits = 0;
    std::uint64_t contextBit = 0; ///< First bit of the packet context.
    std::uint64_t eventsBit = 0; ///< First bit after the packet context.
    std::optional<std::uint64_t> instance;
    std::optional<std::uint64_t> begin; ///< Clock value. Unreadable bytes have that of a packet near them, for sorting.
    std::optional<std::uint64_t> end; ///< Clock value.
    std::optional<std::uint64_t> discarded; ///< Counter of lost events.
    std::optional<std::uint64_t> sequence;
    std::int32_t cpu = -1;
    PacketFault fault = PacketFault::None;
    bool isCut = false; ///< True if the file ends before the packet does.
    bool isIndexed = false; ///< True if the packet comes from the tracer's index and its own header is yet to be read.

    bool isPacket() const { return fault == PacketFault::None; } ///< False for unreadable bytes.
    bool operator==(const PacketDescription&) const = default;
};

/// Adds a diagnostic. If there is one of the same kind and file, increases its count instead.
void report(std::vector<Diagnostic>& all, Diagnostic diagnostic);

/// Returns the diagnostic about unreadable bytes. `number` is their index in the stream; empty if the file has no packet at all.
Diagnostic describeFault(const MappedFile& file, const PacketDescription& packet, std::optional<std::size_t> number);

/// Reads the headers and contexts of packets. Ownership: the shapes must outlive it.
class PacketReader {
public:
    /// `uuid` is the metadata's UUID; if it is empty, packets with any UUID are read.
    PacketReader(const std::vector<StreamClassLayout>& shapes, std::string_view uuid);

    /// Reads the packet at the offset, which must lie within the file. Corrections are reported to `diagnostics` unless it is nullptr.
    PacketDescription read(const MappedFile& file, std::uint64_t offset, std::vector<Diagnostic>* diagnostics = nullptr) const;

    /// Returns the UUID in the header of a packet that read() returned.
    std::optional<UuidBytes> uuidAt(const MappedFile& file, const PacketDescription& packet) const;

    std::uint64_t streamId(const PacketDescription& packet) const { return (*m_shapes)[packet.shape].id; }

    /// Makes read() accept packets with this UUID instead of the metadata's.
    void expect(const UuidBytes& uuid) { m_uuid = uuid; }

    /// Magic number of packets, and its offset in bytes from the packet's begin.
    struct Magic {
        std::array<std::byte, 4> bytes{};
        std::uint64_t offset = 0;
    };
    /// Returns the magic number; empty if packets have none at a constant byte offset.
    std::optional<Magic> magic() const;

private:
    bool chooseShape(const FieldScope& scope, PacketDescription& packet) const;
    PacketFault checkHeader(const StreamClassLayout& shape, const FieldScope& scope) const;
    void readSizes(const StreamClassLayout& shape, const FieldScope& scope, PacketDescription& packet, const MappedFile& file,
                   std::vector<Diagnostic>* diagnostics) const;

    const std::vector<StreamClassLayout>* m_shapes;
    std::optional<UuidBytes> m_uuid;
};

} // namespace helio::ctf
