#pragma once

#include "core/formats/ctf/clock_conversion.h"
#include "core/trace/struct_layout.h"

#include <vector>

namespace helio::ctf {

/// An event header's type, compiled for the one thing the reader wants of it: which event it is and when.
///
/// LTTng's two headers (5 + 27 bits and 16 + 32 bits, each with an extended form) and headers of constant size have a decoder of their
/// own; any other is read field by field. Immutable; any thread; lives no longer than the type it was made from.
class EventHeader {
public:
    enum class Kind : std::uint8_t {
        None, ///< Events have no header.
        Compact, ///< LTTng's, 5 + 27 bits.
        Large, ///< LTTng's, 16 + 32 bits.
        Fixed, ///< A constant size, at most one id and one time stamp.
        General,
    };
    struct Found {
        std::uint64_t id = 0;
        std::uint64_t clock = 0; ///< The running value: what it was, where the header has no time stamp.
        std::uint64_t end = 0; ///< The bit after it, or CutOff.
    };

    EventHeader() = default;
    /// `clock`: the name of the stream's clock. `frame` has the header and all that is before it.
    EventHeader(const EventType& frame, const std::string& clock);

    Kind kind() const { return m_kind; }
    std::uint64_t alignment() const { return m_alignment; }

    /// Reads the header at `start`, which is aligned. Requires: K == kind().
    template <Kind K> Found read(const FieldScope& scope, std::uint64_t start, std::uint64_t clock) const
    {
        if constexpr (K == Kind::None)
            return {0, clock, start};
        else if constexpr (K == Kind::Compact)
            return readCompact(scope.packet, start, clock);
        else if constexpr (K == Kind::Large)
            return readLarge(scope.packet, start, clock);
        else if constexpr (K == Kind::Fixed)
            return readFixed(scope.packet, start, clock);
        else
            return readGeneral(scope, start, clock);
    }

private:
    struct Part {
        std::uint32_t offset = 0;
        std::uint8_t bits = 0; ///< 0: there is none.
        ByteOrder order = ByteOrder::Little;
    };
    struct Stamp {
        FieldLocator field;
        unsigned bits = 64;
    };

    bool recognizeLttng(const StructType& header, const std::string& clock);
    bool recognizeFixed(const StructLayout& layout);
    void collect(const StructLayout& layout, const FieldType& type, std::vector<std::string>& path, const std::string& clock);

    Found readCompact(const PacketBytes& packet, std::uint64_t start, std::uint64_t clock) const
    {
        if (start + 32 > packet.contentBits)
            return {0, clock, CutOff};
        const auto word = loadWord<std::uint32_t>(packet.data + start / 8, m_order);
        const bool isLittle = m_order == ByteOrder::Little;
        const std::uint32_t id = isLittle ? word & 31 : word >> 27;
        if (id == 31)
            return readExtended(packet, start + 5, clock);
        return {id, clockAfter(clock, isLittle ? word >> 5 : word & 0x7ffffff, 27), start + 32};
    }

    Found readLarge(const PacketBytes& packet, std::uint64_t start, std::uint64_t clock) const
    {
        const std::uint64_t stamp = alignUp(start + 16, m_compactAlignment);
        if (stamp + 32 > packet.contentBits) {
            // Too short for either form: the extended one is longer.
            return {0, clock, CutOff};
        }
        const auto id = loadWord<std::uint16_t>(packet.data + start / 8, m_order);
        if (id == 65535)
            return readExtended(packet, start + 16, clock);
        return {id, clockAfter(clock, loadWord<std::uint32_t>(packet.data + stamp / 8, m_order), 32), stamp + 32};
    }

    Found readExtended(const PacketBytes& packet, std::uint64_t bit, std::uint64_t clock) const
    {
        const std::uint64_t id = alignUp(bit, m_extendedAlignment);
        const std::uint64_t stamp = alignUp(id + 32, m_stampAlignment);
        if (stamp + 64 > packet.contentBits)
            return {0, clock, CutOff};
        return {loadWord<std::uint32_t>(packet.data + id / 8, m_order), loadWord<std::uint64_t>(packet.data + stamp / 8, m_order),
                stamp + 64};
    }

    Found readFixed(const PacketBytes& packet, std::uint64_t start, std::uint64_t clock) const
    {
        Found found{0, clock, start + m_size};
        if (found.end > packet.contentBits)
            return {0, clock, CutOff};
        if (m_id.bits)
            found.id = readBits(packet.data, start + m_id.offset, m_id.bits, m_id.order);
        if (m_stamp.bits)
            found.clock = clockAfter(clock, readBits(packet.data, start + m_stamp.offset, m_stamp.bits, m_stamp.order), m_stamp.bits);
        return found;
    }

    Found readGeneral(const FieldScope& scope, std::uint64_t start, std::uint64_t clock) const;

    Kind m_kind = Kind::None;
    ByteOrder m_order = ByteOrder::Little;
    std::uint64_t m_alignment = 1;
    std::uint64_t m_compactAlignment = 1; ///< Of LTTng's short form...
    std::uint64_t m_extendedAlignment = 1; ///< ...and of its long one,
    std::uint64_t m_stampAlignment = 1; ///< where the time stamp has its own.
    std::uint64_t m_size = 0; ///< Fixed: bits.
    Part m_id;
    Part m_stamp;
    const StructLayout* m_layout = nullptr; ///< General.
    std::vector<FieldLocator> m_ids; ///< The last one that is there counts.
    std::vector<Stamp> m_stamps; ///< All that are there count, in order.
};

} // namespace helio::ctf
