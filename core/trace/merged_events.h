#pragma once

#include "core/trace/trace.h"

#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace helio {

/// All streams of one trace in one order: by (time, stream index), which is babeltrace2's order too. Within a stream the file's order
/// stands, also where its times go back. Losses come where their gap ends. One thread.
/// Cost: a few instructions an event; nothing is allocated for one.
class MergedEvents {
public:
    /// Once `stop` is requested, the end comes before the next batch of a stream is read.
    explicit MergedEvents(const Trace& trace, std::span<const StreamPosition> from = {}, std::stop_token stop = {});
    ~MergedEvents();

    /// Steps to the next event. False: the end.
    bool next()
    {
        if (m_next == m_runEnd || m_next->time >= m_runLimit)
            return startRun();
        m_event.record = m_next;
        m_event.type = &m_types[m_next->type];
        ++m_next;
        return true;
    }

    /// Steps over the next events that come one after the other in one stream, at most `most` of them. event() is then the first,
    /// and losses are due at it alone. Empty: the end. Requires: most > 0.
    EventRun nextRun(std::size_t most);

    const EventView& event() const { return m_event; }

    /// Cheap; true when takeLosses() would give any.
    bool hasLosses() const { return m_hasLosses; }

    /// Losses met since the last call, gaps that end at or before the current event (at the end: all).
    std::vector<Loss> takeLosses();

    /// Cheap; true when takeOpenedLosses() would give any.
    bool hasOpenedLosses() const { return m_hasOpenedLosses; }

    /// Losses whose gap begins at or before the current event, each once: all events before the gap have been stepped to.
    /// takeLosses() gives them again when they end.
    std::vector<Loss> takeOpenedLosses();

    /// Where to go on so that the current event comes first.
    std::vector<StreamPosition> positions() const;

    std::vector<Diagnostic> diagnostics() const;

private:
    struct Source;
    class Impl;

    const EventRecord* endOfRun(std::size_t most) const;
    /// Finds the stream whose turn it is, and how far it goes on before another one's is.
    bool startRun();
    /// Where a loss is due at the run's begin, or before its end.
    void limitByLosses(HostTimestamp time);

    const EventTypes& m_types;
    EventView m_event;
    const EventRecord* m_runBegin = nullptr;
    const EventRecord* m_next = nullptr; ///< After the current event in its batch...
    const EventRecord* m_runEnd = nullptr; ///< ...up to its end,
    HostTimestamp m_runLimit; ///< or up to this time.
    bool m_isOrdered = false; ///< The batch is.
    bool m_hasLosses = false;
    bool m_hasOpenedLosses = false;
    std::unique_ptr<Impl> m_impl;
};

/// Hands over all events of a trace, merged. Ends early once `stop` is requested. Cost: as MergedEvents.
template <typename Take> void eachEvent(const Trace& trace, const Take& take, const std::stop_token& stop)
{
    MergedEvents events(trace, {}, stop);
    while (!stop.stop_requested() && events.next())
        take(events.event());
}

} // namespace helio
