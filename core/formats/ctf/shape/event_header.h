#pragma once

#include "core/formats/ctf/shape/clock_conversion.h"
#include "core/trace/fields/struct_layout.h"

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
    EventHeader() = default;
    /// `clock`: the name of the stream's clock. `frame` has the header and all that is before it. `ids`: the fields that give the
    /// event's class; null: those called "id".
    EventHeader(const EventType& frame, const std::string& clock, const std::vector<FieldNames>* ids = nullptr);

    Kind kind() const { return m_kind; }
    std::uint64_t alignment() const { return m_alignment; }

    /// LTTng's short form, where it is the same words at every place.
    struct ShortForm {
        std::uint64_t bits = 0; ///< 0: there is none.
        std::uint64_t escape = 0; ///< The id that stands for the long form.
    };
    ShortForm shortForm() const;

    /// Reads the header at `start`, which is aligned: the event's id, the running clock value (unchanged where the header has no
    /// time stamp) and the bit after the header. False where it is cut off. Requires: K == kind().
    /// References to local variables, not a structure: inlined, they are registers.
    template <Kind K>
    bool read(const FieldScope& scope, std::uint64_t start, std::uint64_t& id, std::uint64_t& clock, std::uint64_t& end) const
    {
        end = start;
        id = 0;
        if constexpr (K == Kind::None)
            return true;
        else if constexpr (K == Kind::Compact)
            return readCompact(scope.packet, start, id, clock, end);
        else if constexpr (K == Kind::Large)
            return readLarge(scope.packet, start, id, clock, end);
        else if constexpr (K == Kind::Fixed)
            return readFixed(scope.packet, start, id, clock, end);
        else
            return readGeneral(scope, start, id, clock, end);
    }

private:
    struct Part {
        std::uint32_t offset = 0;
        std::uint8_t bits = 0; ///< 0: there is none.
        ByteOrder order = ByteOrder::Little;
    };

    bool recognizeLttng(const StructType& header, const std::string& clock);
    bool recognizeFixed(const StructLayout& layout);
    void collect(const StructLayout& layout, const FieldType& type, FieldNames& path, const std::string& clock,
                 const std::vector<FieldNames>* ids);

    bool readCompact(const PacketBytes& packet, std::uint64_t start, std::uint64_t& id, std::uint64_t& clock, std::uint64_t& end) const
    {
        end = start + 32;
        if (end > packet.contentBits)
            return false;
        const auto word = loadWord<std::uint32_t>(packet.data + start / 8, m_order);
        const bool isLittle = m_order == ByteOrder::Little;
        id = isLittle ? word & 31 : word >> 27;
        if (id == 31) [[unlikely]]
            return readExtended(packet, start + 5, id, clock, end);
        clock = clockAfter(clock, isLittle ? word >> 5 : word & 0x7ffffff, 27);
        return true;
    }

    bool readLarge(const PacketBytes& packet, std::uint64_t start, std::uint64_t& id, std::uint64_t& clock, std::uint64_t& end) const
    {
        const std::uint64_t stamp = alignUp(start + 16, m_compactAlignment);
        end = stamp + 32;
        if (end > packet.contentBits)
            return false; // Too short for either form: the extended one is longer.
        id = loadWord<std::uint16_t>(packet.data + start / 8, m_order);
        if (id == 65535) [[unlikely]]
            return readExtended(packet, start + 16, id, clock, end);
        clock = clockAfter(clock, loadWord<std::uint32_t>(packet.data + stamp / 8, m_order), 32);
        return true;
    }

    bool readExtended(const PacketBytes& packet, std::uint64_t bit, std::uint64_t& id, std::uint64_t& clock, std::uint64_t& end) const
    {
        const std::uint64_t number = alignUp(bit, m_extendedAlignment);
        const std::uint64_t stamp = alignUp(number + 32, m_stampAlignment);
        end = stamp + 64;
        if (end > packet.contentBits)
            return false;
        id = loadWord<std::uint32_t>(packet.data + number / 8, m_order);
        clock = loadWord<std::uint64_t>(packet.data + stamp / 8, m_order);
        return true;
    }

    bool readFixed(const PacketBytes& packet, std::uint64_t start, std::uint64_t& id, std::uint64_t& clock, std::uint64_t& end) const
    {
        end = start + m_size;
        if (end > packet.contentBits)
            return false;
        if (m_id.bits)
            id = readBits(packet.data, start + m_id.offset, m_id.bits, m_id.order);
        if (m_stamp.bits)
            clock = clockAfter(clock, readBits(packet.data, start + m_stamp.offset, m_stamp.bits, m_stamp.order), m_stamp.bits);
        return true;
    }

    bool readGeneral(const FieldScope& scope, std::uint64_t start, std::uint64_t& id, std::uint64_t& clock, std::uint64_t& end) const;

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
    std::vector<FieldLocator> m_stamps; ///< All that are there count, in order.
};

} // namespace helio::ctf
