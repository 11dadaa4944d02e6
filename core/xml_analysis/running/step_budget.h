#pragma once

#include <algorithm>
#include <cstdint>
#include <stop_token>

namespace helio::xml {

/// Counts the work that an analysis does and ends the analysis if the work is too much. A malicious file can make a single event
/// arbitrarily expensive. Many scenarios are expensive, too, if they have no key and each must be tried.
///
/// The unit is a step: an access to an attribute, value, condition or rule, which costs a few ns to tens of ns. Code that does many steps
/// must report them with take() and stop if take() returns false.
/// Threads: to be used by one thread.
class StepBudget {
public:
    /// Maximum number of steps per event; real files need far fewer.
    static constexpr std::uint64_t MostAtOneEvent = 10'000'000;
    /// Maximum number of steps per event on average over the analysis. The analysis may exceed this average by MostAhead steps in total.
    static constexpr std::uint64_t MostPerEvent = 50'000;
    static constexpr std::uint64_t MostAhead = 100'000'000;
    /// Number of steps from one check of `stop` to the next check; that many steps take a few ms.
    static constexpr std::uint64_t AskStep = 1 << 18;

    explicit StepBudget(std::stop_token stop = {})
        : m_stop(std::move(stop))
    {
    }

    /// Must be called at each event to which a rule applies.
    void beginEvent()
    {
        ++m_events;
        m_begin = m_steps;
    }
    /// Counts steps. Returns false if the analysis must end.
    bool take(std::uint64_t steps = 1)
    {
        m_steps += steps;
        return m_steps < m_next || mayGoOn();
    }
    /// True if the analysis must end. It must do no further work.
    bool isEnough() const { return m_end != End::None; }
    bool isCancelled() const { return m_end == End::Cancelled; }
    /// Returns a clause that explains why the analysis must end. Requires: isEnough() and not isCancelled().
    const char* why() const
    {
        return m_end == End::OneEvent ? "one event needs more than ten million steps: the analysis stopped there"
                                      : "its events need more than fifty thousand steps each: the analysis stopped there";
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
    std::uint64_t m_begin = 0; ///< Total number of steps at the start of the current event.
    std::uint64_t m_events = 0;
    End m_end = End::None;
};

} // namespace helio::xml
