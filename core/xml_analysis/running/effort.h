#pragma once

#include <algorithm>
#include <cstdint>
#include <stop_token>

namespace helio::xml {

/// How much an analysis has done, and whether it may go on: a hostile file makes one event cost as much as it likes, and so do scenarios
/// that nothing but trying finds.
///
/// Counted in steps: an attribute, value, condition or rule looked at, each some ns to some tens of ns. Whoever goes through many of them
/// says so, and stops where it is enough. One thread.
class Effort {
public:
    /// What serious files stay far below.
    static constexpr std::uint64_t MostAtOneEvent = 10'000'000;
    /// On average, beyond what MostAhead allows.
    static constexpr std::uint64_t MostPerEvent = 50'000;
    static constexpr std::uint64_t MostAhead = 100'000'000;
    /// How often `stop` is asked, in steps: some ms.
    static constexpr std::uint64_t AskStep = 1 << 18;

    explicit Effort(std::stop_token stop = {})
        : m_stop(std::move(stop))
    {
    }

    /// An event comes that there are rules for.
    void beginEvent()
    {
        ++m_events;
        m_begin = m_steps;
    }
    /// False: it is enough.
    bool take(std::uint64_t steps = 1)
    {
        m_steps += steps;
        return m_steps < m_next || mayGoOn();
    }
    /// From then on nothing is done any more.
    bool isEnough() const { return m_end != End::None; }
    bool isCancelled() const { return m_end == End::Cancelled; }
    /// Why it is enough, as a clause. Requires: isEnough(), and it was not cancelled.
    const char* why() const
    {
        return m_end == End::OneEvent ? "one event would take more than ten million steps: the analysis was given up there"
                                      : "its events take more than fifty thousand steps each: the analysis was given up there";
    }
    std::uint64_t steps() const { return m_steps; }

private:
    enum class End : std::uint8_t { None, Cancelled, OneEvent, AllEvents };

    bool mayGoOn()
    {
        if (!isEnough())
            m_end = m_stop.stop_requested()                      ? End::Cancelled
                : m_steps - m_begin >= MostAtOneEvent            ? End::OneEvent
                : m_steps >= MostAhead + m_events * MostPerEvent ? End::AllEvents
                                                                 : End::None;
        m_next = isEnough() ? 0 : m_steps + AskStep;
        return !isEnough();
    }

    std::stop_token m_stop;
    std::uint64_t m_steps = 0;
    std::uint64_t m_next = AskStep;
    std::uint64_t m_begin = 0; ///< What was done before the event.
    std::uint64_t m_events = 0;
    End m_end = End::None;
};

} // namespace helio::xml
