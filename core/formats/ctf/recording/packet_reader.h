#pragma once

#include "core/formats/ctf/shape/stream_class_layout.h"
#include "core/io/mapped_file.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace helio::ctf {

/// Reason why bytes cannot be read as a packet of their trace.
enum class PacketFault : std::uint8_t {
    None, ///< No fault: the bytes are a packet of the trace.
    NoMagic,
    OtherByteOrder,
    OtherUuid,
    UnknownStream,
    NoSize, ///< The size is 0, and no magic number or UUID confirms that the bytes are a packet.
    WrongSize, ///< The size is impossible, and no magic number or UUID confirms that the bytes are a packet.
    CutHeader, ///< The file ends within the header.
    UnlikeIndex, ///< The bytes are a packet, but not the packet that the tracer's index describes.
};

using UuidBytes = std::array<std::byte, 16>;

/// Describes a packet by its header and context, with impossible values corrected. If `fault` is set, describes unreadable bytes instead,
/// from `offset` to the next packet or the end of the file.
struct PacketDescription {
    std::uint32_t file = 0; ///< Index into StreamData::files; set by StreamBuilder.
    std::uint32_t shape = 0; ///< Index of the StreamClassLayout of the packet's stream class.
    std::uint64_t offset = 0; ///< Offset of the packet, or of the unreadable bytes, in bytes from the start of the file.
    std::uint64_t size = 0; ///< Size in bytes of the packet or of the unreadable bytes.
    std::uint64_t contentBits = 0;
    std::uint64_t contextBit = 0; ///< Position of the packet context's first bit, counted from the start of the packet.
    std::uint64_t eventsBit = 0; ///< Position of the first bit after the packet context, counted from the start of the packet.
    std::optional<std::uint64_t> instance;
    /// Clock value at the start of the packet; nullopt if unknown. Unreadable bytes have the clock value of a neighbouring packet, so that
    /// they can be sorted by time.
    std::optional<std::uint64_t> begin;
    std::optional<std::uint64_t> end; ///< Clock value at the end of the packet; nullopt if unknown.
    std::optional<std::uint64_t> discarded; ///< Value of the tracer's counter of lost events; nullopt if not recorded.
    std::optional<std::uint64_t> sequence;
    std::int32_t cpu = -1;
    PacketFault fault = PacketFault::None;
    bool isCut = false; ///< True if the file ends before the end of the packet.
    bool isIndexed = false; ///< True if the packet comes from the tracer's index and its own header has not been read yet.

    bool isPacket() const { return fault == PacketFault::None; } ///< Returns true for a packet, false for unreadable bytes.
    bool operator==(const PacketDescription&) const = default;
};

/// Adds a diagnostic, or increases the count of a diagnostic with the same kind and file.
void report(std::vector<Diagnostic>& all, Diagnostic diagnostic);

/// Returns the diagnostic about unreadable bytes. `number` is their index in the stream; nullopt if the file contains no packet.
Diagnostic describeFault(const MappedFile& file, const PacketDescription& packet, std::optional<std::size_t> number);

/// Reads the headers and contexts of packets.
/// Ownership: the stream class layouts given to the constructor must outlive the reader.
class PacketReader {
public:
    /// `uuid` is the UUID of the metadata; if it is empty, packets with any UUID are accepted.
    PacketReader(const std::vector<StreamClassLayout>& shapes, std::string_view uuid);

    /// Reads the packet at the offset, which must be within the file. Corrections are reported to `diagnostics` unless it is nullptr.
    PacketDescription read(const MappedFile& file, std::uint64_t offset, std::vector<Diagnostic>* diagnostics = nullptr) const;

    /// Returns the UUID in the header of a packet that read() returned.
    std::optional<UuidBytes> uuidAt(const MappedFile& file, const PacketDescription& packet) const;

    std::uint64_t streamId(const PacketDescription& packet) const { return (*m_shapes)[packet.shape].id; }

    /// Sets the UUID of accepted packets, instead of the metadata's UUID.
    void expect(const UuidBytes& uuid) { m_uuid = uuid; }

    /// Magic number of packets, and its offset in bytes from the start of the packet.
    struct Magic {
        std::array<std::byte, 4> bytes{};
        std::uint64_t offset = 0;
    };
    /// Returns the magic number; nullopt if packets have none at a constant byte offset.
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
