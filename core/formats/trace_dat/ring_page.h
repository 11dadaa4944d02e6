#pragma once

#include "core/trace/fields/bits.h"
#include "core/trace/tracepoint/tracing_data.h"

#include <cstddef>
#include <cstdint>
#include <span>

// Pages of the kernel's ring buffer (kernel/trace/ring_buffer.c): a time stamp, a size, and events whose times are differences.

namespace helio::tracedat {

/// An event in a page.
struct RingEvent {
    std::uint32_t offset = 0; ///< Offset of the event's data from the start of the page, in bytes.
    std::uint32_t size = 0; ///< Size of the data in bytes.
    std::uint64_t clock = 0; ///< Time stamp in units of the trace clock.
};

/// Walks over the events of a page.
/// Errors: damage ends the page early; isDamaged() is then true.
class RingPage {
public:
    RingPage(std::span<const std::byte> page, const tracepoint::RingPageLayout& layout, ByteOrder order);

    /// Time stamp of the page: the time before the page's first event.
    std::uint64_t clock() const { return m_clock; }
    /// True if the kernel lost events between the previous page of the CPU and this page.
    bool hasLostEvents() const { return m_hasLost; }
    /// Number of events lost before this page; 0 if the kernel did not store it.
    std::uint64_t lostEvents() const { return m_lost; }
    bool isDamaged() const { return m_isDamaged; }
    std::uint32_t position() const { return m_at; } ///< Offset of the next event in bytes.

    /// Continues at a position() at which the time stamp of the previous event was `clock`.
    void resume(std::uint32_t position, std::uint64_t clock);

    /// Reads the next event. Returns false at the end of the page.
    bool next(RingEvent& event);

private:
    std::uint32_t word(std::uint32_t offset) const { return loadWord<std::uint32_t>(m_page.data() + offset, m_order); }
    bool end(bool isDamaged);

    std::span<const std::byte> m_page;
    ByteOrder m_order;
    std::uint32_t m_at = 0;
    std::uint32_t m_end = 0; ///< Offset of the first byte after the events.
    std::uint64_t m_clock = 0;
    std::uint64_t m_lost = 0;
    bool m_hasLost = false;
    bool m_isDamaged = false;
};

} // namespace helio::tracedat
