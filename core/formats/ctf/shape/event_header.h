#pragma once

#include "core/formats/ctf/shape/clock_conversion.h"
#include "core/trace/fields/struct_layout.h"

#include <vector>

namespace helio::ctf {

/// Decoder of event headers, compiled from their type. It reads only an event's id and its time stamp.
///
/// LTTng's two headers (5 + 27 bits and 16 + 32 bits, each with an extended form) and headers of constant size have specialized decoders;
/// any other header is read field by field.
///
/// Threads: immutable; may be used from any thread.
/// Ownership: the EventType that it was made from must outlive it.
class EventHeader {
public:
    enum class Kind : std::uint8_t {
        None, ///< Events have no header.
        Compact, ///< LTTng's header of 5 + 27 bits.
        Large, ///< LTTng's header of 16 + 32 bits.
        Fixed, ///< A header of constant size with at most one id and one time stamp.
        General, ///< Any other header.
    };
    EventHeader() = default;
    /// `frame` has the types of the header and of all sections before it. `clock` is the name of the stream's clock. `ids` lists the
    /// fields with the event class's id; nullptr means the fields called "id".
    EventHeader(const EventType& frame, const std::string& clock, const std::vector<FieldNames>* ids = nullptr);

    Kind kind() const { return m_kind; }
    std::uint64_t alignment() const { return m_alignment; }

    /// LTTng's short form, if it consists of native-endian words at constant offsets from the event's begin.
    struct ShortForm {
        std::uint64_t bits = 0; ///< Size in bits; 0 if the header has no such form.
        std::uint64_t escape = 0; ///< Id that announces the extended form.
    };
    ShortForm shortForm() const;

    /// Reads the header at bit `start`, which must be aligned. Sets `id` to the event class's id, `clock` to the full clock value
    /// (unchanged if the header has no time stamp) and `end` to the bit after the header. Returns false if the packet ends within the
    /// header. The results are references, not a structure, so that they stay in registers when the call is inlined.
    ///
    /// Requires: K == kind().
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
        std::uint8_t bits = 0; ///< Size in bits; 0 if the header has no such field.
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
        clock = advanceClock(clock, isLittle ? word >> 5 : word & 0x7ffffff, 27);
        return true;
    }

    bool readLarge(const PacketBytes& packet, std::uint64_t start, std::uint64_t& id, std::uint64_t& clock, std::uint64_t& end) const
    {
        const std::uint64_t stamp = alignUp(start + 16, m_compactAlignment);
        end = stamp + 32;
        if (end > packet.contentBits)
            return false; // Also too short for the extended form, which is longer.
        id = loadWord<std::uint16_t>(packet.data + start / 8, m_order);
        if (id == 65535) [[unlikely]]
            return readExtended(packet, start + 16, id, clock, end);
        clock = advanceClock(clock, loadWord<std::uint32_t>(packet.data + stamp / 8, m_order), 32);
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
            clock = advanceClock(clock, readBits(packet.data, start + m_stamp.offset, m_stamp.bits, m_stamp.order), m_stamp.bits);
        return true;
    }

    bool readGeneral(const FieldScope& scope, std::uint64_t start, std::uint64_t& id, std::uint64_t& clock, std::uint64_t& end) const;

    Kind m_kind = Kind::None;
    ByteOrder m_order = ByteOrder::Little;
    std::uint64_t m_alignment = 1;
    std::uint64_t m_compactAlignment = 1; ///< Alignment of LTTng's short form, in bits.
    std::uint64_t m_extendedAlignment = 1; ///< Alignment of LTTng's extended form, in bits.
    std::uint64_t m_stampAlignment = 1; ///< Alignment of the time stamp in LTTng's extended form, in bits.
    std::uint64_t m_size = 0; ///< Size of a Fixed header in bits.
    Part m_id;
    Part m_stamp;
    const StructLayout* m_layout = nullptr; ///< Layout of the header, which a General header is read by; nullptr if events have no header.
    std::vector<FieldLocator> m_ids; ///< Id fields; the last one that an event has gives its id.
    std::vector<FieldLocator> m_stamps; ///< Time stamp fields; all that an event has update the clock, in this order.
};

} // namespace helio::ctf
