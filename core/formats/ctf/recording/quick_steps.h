#pragma once

#include "core/formats/ctf/shape/stream_shape.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>

namespace helio::ctf {

/// Steps over the events of one packet that the shape has a QuickStep for: nearly all of LTTng's. 38 instructions each, half of what
/// the way that fits every event takes.
template <EventHeader::Kind K> class QuickSteps {
public:
    QuickSteps(const StreamShape& shape, const PacketBytes& packet)
        : m_steps(shape.quick())
        , m_data(packet.data)
        , m_contentBits(packet.contentBits < QuickStep::None ? packet.contentBits : 0)
        , m_headerMask(shape.header.alignment() - 1)
        , m_headerBits(shape.header.shortForm().bits)
        , m_offset(static_cast<std::uint64_t>(shape.clock.offset()))
    {
    }

    /// Reads the event that begins at or after `bit`; moves `bit` and `clock` past it. False, and nothing is moved, where the event is
    /// of another kind or cut off. Leaves the record's CPU. Requires: the shape has quick steps, and K is its header's kind.
    bool read(std::uint64_t& bit, std::uint64_t& clock, EventRecord& record) const
    {
        const std::uint64_t start = (bit + m_headerMask) & ~m_headerMask;
        if (start + m_headerBits > m_contentBits)
            return false;
        const std::byte* const at = m_data + start / 8;
        __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(at) + ReadAhead));
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
        const QuickStep& step = m_steps[id];
        const std::uint64_t end = start + step.bits;
        if (end > m_contentBits)
            return false;
        bit = end;
        clock = clockAfter(clock, stamp, K == EventHeader::Kind::Compact ? 27 : 32);
        record.time = hostTime(static_cast<std::int64_t>(m_offset + clock));
        record.headerBit = start;
        record.contextOffset = step.contextOffset;
        record.payloadOffset = step.payloadOffset;
        record.type = step.type;
        return true;
    }

private:
    /// Bytes, some 30 events: processors fetch ahead by themselves, but not into the next page, where they also look up its address. What
    /// lies behind the packet is not touched.
    static constexpr std::uintptr_t ReadAhead = 768;

    template <typename T> static T load(const std::byte* at)
    {
        T value;
        std::memcpy(&value, at, sizeof value);
        return value;
    }

    const std::span<const QuickStep> m_steps;
    const std::byte* const m_data;
    const std::uint64_t m_contentBits; ///< 0 where it is so much that an event may have QuickStep::None bits.
    const std::uint64_t m_headerMask;
    const std::uint64_t m_headerBits;
    const std::uint64_t m_offset;
};

} // namespace helio::ctf
