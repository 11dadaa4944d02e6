#pragma once

#include "core/formats/ctf/shape/stream_class_layout.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>

namespace helio::ctf {

/// Fast reader for the events of one packet that have a FixedEventLayout, which are nearly all events of LTTng. It executes 38 instructions
/// for each event, half as many as the general reader (readEvent()).
template <EventHeader::Kind K> class FixedEventReader {
public:
    FixedEventReader(const StreamClassLayout& shape, const PacketBytes& packet)
        : m_steps(shape.quick())
        , m_data(packet.data)
        , m_contentBits(packet.contentBits < FixedEventLayout::None ? packet.contentBits : 0)
        , m_headerMask(shape.header.alignment() - 1)
        , m_headerBits(shape.header.shortForm().bits)
        , m_offset(static_cast<std::uint64_t>(shape.clock.offset()))
    {
    }

    /// Reads the event that begins at or after `bit`, and advances `bit` and `clock` to the end of the event. Returns false without
    /// changing them if the event has no FixedEventLayout or is cut off. Does not set the record's CPU. Requires:
    /// StreamClassLayout::quick() is not empty, and K is the kind of its header.
    bool read(std::uint64_t& bit, std::uint64_t& clock, EventRecord& record) const
    {
        const std::uint64_t start = (bit + m_headerMask) & ~m_headerMask;
        if (start + m_headerBits > m_contentBits)
            return false;
        const std::byte* const at = m_data + start / 8;
        // The prefetched address may be behind the data, where no pointer may be formed. NOLINTNEXTLINE(performance-no-int-to-ptr)
        __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(at) + ReadAheadTrace));
        std::uint64_t id = 0;
        std::uint32_t stamp = 0;
        if constexpr (K == EventHeader::Kind::Compact) {
            constexpr bool IsLittle = std::endian::native == std::endian::little;
            const auto word = load<std::uint32_t>(at);
            id = IsLittle ? word & 31 : word >> 27;
            stamp = IsLittle ? word >> 5 : word & 0x7ffffff;
        } else {
            id = load<std::uint16_t>(at);
            stamp = load<std::uint32_t>(at + (m_headerBits - 32) / 8);
        }
        if (id >= m_steps.size())
            return false;
        const FixedEventLayout& step = m_steps[id];
        const std::uint64_t end = start + step.bits;
        if (end > m_contentBits)
            return false;
        bit = end;
        clock = advanceClock(clock, stamp, K == EventHeader::Kind::Compact ? 27 : 32);
        record.time = hostTime(static_cast<std::int64_t>(m_offset + clock));
        record.headerBit = start;
        record.contextOffset = step.contextOffset;
        record.payloadOffset = step.payloadOffset;
        record.type = step.type;
        return true;
    }

private:
    /// Distance of the prefetch in bytes, about 30 events. The hardware prefetcher of processors stops at the end of a page; this prefetch
    /// also loads the address translation of the next page. Prefetching beyond the packet is harmless, because a prefetch never faults.
    static constexpr std::uintptr_t ReadAheadTrace = 768;

    template <typename T> static T load(const std::byte* at)
    {
        T value;
        std::memcpy(&value, at, sizeof value);
        return value;
    }

    const std::span<const FixedEventLayout> m_steps;
    const std::byte* const m_data;
    const std::uint64_t
        /// Size of the packet's content in bits. 0 for packets that are too large for 32-bit sizes (FixedEventLayout::None); the reader
        /// then reads nothing.
        m_contentBits;
    const std::uint64_t m_headerMask;
    const std::uint64_t m_headerBits;
    const std::uint64_t m_offset;
};

} // namespace helio::ctf
