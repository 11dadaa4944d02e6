#include "core/formats/trace_dat/ring_page.h"

#include <algorithm>

namespace helio::tracedat {
namespace {

// Flags of the commit word and values of the type in an event's header: include/linux/ring_buffer.h and kernel/trace/ring_buffer.c.
constexpr std::uint64_t MissedEvents = std::uint64_t{1} << 31;
constexpr std::uint64_t MissedStored = std::uint64_t{1} << 30;
constexpr std::uint64_t SizeMask = (std::uint64_t{1} << 27) - 1;
constexpr std::uint32_t Padding = 29;
constexpr std::uint32_t TimeExtend = 30;
constexpr std::uint32_t TimeStamp = 31;
constexpr unsigned DeltaBits = 27;
constexpr std::uint32_t DeltaMask = (1U << DeltaBits) - 1;
constexpr std::uint64_t StampHighBits = std::uint64_t{0xf8} << 56; ///< Bits of a time that the 59 bits of a time stamp lack.

} // namespace

RingPage::RingPage(std::span<const std::byte> page, const tracepoint::RingPageLayout& layout, ByteOrder order)
    : m_page(page)
    , m_order(order)
    , m_at(layout.dataOffset)
    , m_end(layout.dataOffset)
{
    if (page.size() < std::max({layout.dataOffset, layout.commitOffset + layout.commitSize, std::uint32_t{8}})) {
        m_isDamaged = true;
        return;
    }
    m_clock = loadWord<std::uint64_t>(page.data(), order);
    const std::byte* const commit = page.data() + layout.commitOffset;
    const std::uint64_t flags = layout.commitSize == 8 ? loadWord<std::uint64_t>(commit, order) : loadWord<std::uint32_t>(commit, order);
    const std::uint64_t size = flags & SizeMask;
    const std::uint64_t room = page.size() - layout.dataOffset;
    m_isDamaged = size > room;
    if (m_isDamaged)
        return;
    m_end += static_cast<std::uint32_t>(size);
    m_hasLost = (flags & MissedEvents) != 0;
    if (m_hasLost && (flags & MissedStored) != 0 && room - size >= layout.commitSize)
        m_lost = layout.commitSize == 8 ? loadWord<std::uint64_t>(page.data() + m_end, order)
                                        : loadWord<std::uint32_t>(page.data() + m_end, order);
}

void RingPage::resume(std::uint32_t position, std::uint64_t clock)
{
    m_at = position;
    m_clock = clock;
}

bool RingPage::end(bool isDamaged)
{
    m_isDamaged = m_isDamaged || isDamaged;
    m_at = m_end;
    return false;
}

bool RingPage::next(RingEvent& event)
{
    while (m_at + 4 <= m_end) {
        const std::uint32_t header = word(m_at);
        const bool isLittle = m_order == ByteOrder::Little;
        const std::uint32_t type = isLittle ? header & 31 : header >> DeltaBits;
        const std::uint64_t delta = isLittle ? header >> 5 : header & DeltaMask;
        std::uint32_t at = m_at + 4;
        if (type >= 1 && type < Padding) {
            event = {at, type * 4, m_clock + delta};
            if (event.size > m_end - at)
                return end(true);
            m_clock = event.clock;
            m_at = at + event.size;
            return true;
        }
        if (type == Padding && delta == 0)
            return end(false); // The rest of the page is empty.
        if (at + 4 > m_end)
            return end(true);
        const std::uint32_t extra = word(at);
        if (type == TimeExtend) {
            m_clock += delta + (std::uint64_t{extra} << DeltaBits);
            m_at = at + 4;
        } else if (type == TimeStamp) {
            std::uint64_t stamp = delta + (std::uint64_t{extra} << DeltaBits);
            if ((m_clock & StampHighBits) != 0) {
                stamp |= m_clock & StampHighBits;
                if (stamp < m_clock)
                    stamp += std::uint64_t{1} << 59;
            }
            m_clock = stamp;
            m_at = at + 4;
        } else { // Padding of a discarded event, or an event whose size does not fit in `type`. `extra` is its size, itself included.
            const std::uint64_t size = (std::uint64_t{extra} + 3) & ~std::uint64_t{3};
            if (size < 4 || size > m_end - at)
                return end(true);
            m_clock += delta;
            m_at = at + static_cast<std::uint32_t>(size);
            if (type == Padding)
                continue;
            event = {at + 4, static_cast<std::uint32_t>(size) - 4, m_clock};
            return true;
        }
    }
    return end(false);
}

} // namespace helio::tracedat
