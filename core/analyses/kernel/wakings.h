#pragma once

#include "core/store/store.h"

#include <cstdint>
#include <vector>

namespace helio::kernel {

/// Wake-ups of threads that have not run since. A wake-up is stored once it is known where its thread runs, because the CPU in a waking
/// event is the one used before (kernel/sched/core.c, try_to_wake_up(): trace_sched_waking() comes before select_task_rq()).
///
/// Each thread keeps the head of its own list.
/// Cost: one comparison for a thread without wake-ups.
class Wakings {
public:
    static constexpr std::uint32_t None = 0xffffffff;

    explicit Wakings(StateSink& sink)
        : m_sink(sink)
    {
    }

    void add(std::uint32_t& first, const Link& link)
    {
        if (m_count >= MostWaiting)
            return hand(link);
        ++m_count;
        const std::uint32_t slot = m_free != None ? m_free : static_cast<std::uint32_t>(m_waiting.size());
        if (slot == m_waiting.size())
            m_waiting.emplace_back();
        else
            m_free = m_waiting[slot].next;
        m_waiting[slot] = {link, first};
        first = slot;
    }

    /// Stores all wake-ups of a list: their thread runs on CPU `ranOn`; NoCpu if unknown.
    void handAll(std::uint32_t& first, std::int32_t ranOn)
    {
        while (first != None) {
            Waiting& it = m_waiting[first];
            it.link.ranOn = ranOn;
            hand(it.link);
            const std::uint32_t handed = first;
            first = it.next;
            it.next = m_free;
            m_free = handed;
            --m_count;
        }
    }

    /// Sets the source of the links from that CPU whose `from` is still NoTrack: the CPU's thread, unknown until now.
    void setWaker(std::uint32_t cpu, TrackId from)
    {
        for (Waiting& it : m_waiting)
            if (it.link.from == NoTrack && it.link.cpu == cpu)
                it.link.from = from;
        for (Link& link : m_wakerless)
            if (link.cpu == cpu)
                link.from = from;
        for (const Link& link : m_wakerless)
            if (link.from != NoTrack)
                m_sink.link(link);
        std::erase_if(m_wakerless, [](const Link& link) { return link.from != NoTrack; });
    }

private:
    static constexpr std::uint32_t MostWaiting = 1 << 20; ///< Further wake-ups are stored without the CPU where their thread runs.

    struct Waiting {
        Link link;
        std::uint32_t next = None; ///< Index of the next wake-up of the same thread, or of the next free slot.
    };

    void hand(const Link& link)
    {
        if (link.from == NoTrack)
            m_wakerless.push_back(link);
        else
            m_sink.link(link);
    }

    StateSink& m_sink;
    std::vector<Waiting> m_waiting;
    std::vector<Link> m_wakerless; ///< Links from CPUs whose thread is unknown so far.
    std::uint32_t m_free = None;
    std::uint32_t m_count = 0; ///< Count of used slots in m_waiting.
};

} // namespace helio::kernel
