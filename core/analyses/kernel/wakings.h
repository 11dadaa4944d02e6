#pragma once

#include "core/store/store.h"

#include <cstdint>
#include <vector>

namespace helio::kernel {

/// Wake-ups of threads that did not run since. Each is stored once it is known where its thread runs: what a waking event names is the CPU
/// used before (kernel/sched/core.c, try_to_wake_up(): trace_sched_waking() comes before select_task_rq()).
///
/// A thread keeps the first of its own. Cost: a comparison for a thread that has none.
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

    /// Hands over all of them: the thread runs on that CPU now; NoCpu: it is not known where it did.
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

    /// Links of that CPU whose `from` is NoTrack are from there: from its thread, which was not known until now.
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
    static constexpr std::uint32_t MostWaiting = 1 << 20; ///< Of more it is not found out where they ran.

    struct Waiting {
        Link link;
        std::uint32_t next = None; ///< Of the same thread, or free.
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
    std::vector<Link> m_wakerless; ///< Of CPUs whose thread is not known yet.
    std::uint32_t m_free = None;
    std::uint32_t m_count = 0; ///< Of those that wait.
};

} // namespace helio::kernel
