#pragma once

#include "core/formats/ctf/shape/clock_conversion.h"
#include "core/trace/fields/struct_layout.h"

#include <vector>

namespace helio::ctf {

/// Decoder of event headers, made from their type. It reads only the id and the time stamp of an event.
///
/// Specialized decoders exist for LTTng's two headers (5 + 27 bits and 16 + 32 bits, each with an extended form) and for headers of
/// constant size. Other headers are read field by field.
///
/// Threads: immutable; may be used from any thread.
/// Ownership: the EventType passed to the constructor must outlive the decoder.
class EventHeader {
public:
    enum class Kind : std::uint8_t {
        None, ///< The events have no header.
        Compact, ///< The header is LTTng's header of 5 + 27 bits.
        Large, ///< The header is LTTng's header of 16 + 32 bits.
        Fixed, ///< A header of constant size with at most one id and one time stamp.
        General, ///< The header is of any other type.
    };
    EventHeader() = default;
    /// `frame` contains the types of the header and of all preceding sections. `clock` is the name of the stream's clock. `ids` lists the
    /// fields that contain the id of the event class; nullptr means fields called "id".
    EventHeader(const EventType& frame, const std::string& clock, const std::vector<FieldNames>* ids = nullptr);

    Kind kind() const { return m_kind; }
    std::uint64_t alignment() const { return m_alignment; }

    /// Short form of an LTTng event header: native-endian words at constant offsets from the start of the event.
    struct ShortForm {
        std::uint64_t bits = 0; ///< Size of the header in bits; 0 if the header cannot be read as native-endian words at constant offsets.
        std::uint64_t escape = 0; ///< Id that stands for the extended form of the header.
    };
    ShortForm shortForm() const;

    /// Reads the header at bit `start`, which must be aligned. Sets `id` to the id of the event class, `clock` to the full clock value
    /// (unchanged if the header has no time stamp) and `end` to the bit after the header. Returns false if the packet ends within the
    /// header. The results are references instead of a structure, so that they stay in registers when the call is inlined.
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
        std::uint8_t bits = 0; ///< Size of the field in bits; 0 if the header does not have the field.
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
            return false; // The packet ends within the short form of the header. The extended form, which some events use, is even longer.
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
    std::uint64_t m_size = 0; ///< Size of a header of the kind Fixed, in bits.
    Part m_id;
    Part m_stamp;
    const StructLayout* m_layout = nullptr; ///< Layout for reading a General header; nullptr if events have no header.
    std::vector<FieldLocator> m_ids; ///< Fields with the id; the last field that is present in an event counts.
    /// Fields with time stamps; all fields that are present in an event update the clock, in this order.
    std::vector<FieldLocator> m_stamps;
};

} // namespace helio::ctf
