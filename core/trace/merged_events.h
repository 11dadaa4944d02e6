#pragma once

#include "core/trace/trace.h"

#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace helio {

/// Events of all streams of one trace, merged by (time, stream index), which is the order of babeltrace2 too. Within a stream the order of
/// the file is kept, also if its times go back. A loss is reported when its gap ends.
///
/// Threads: to be used by one thread at a time.
/// Cost: a few instructions an event; no allocation for an event.
class MergedEvents {
public:
    /// Begins at the positions `from`, or at the begin of each stream. After `stop` is requested, the events end before another batch is
    /// read.
    explicit MergedEvents(const Trace& trace, std::span<const StreamPosition> from = {}, std::stop_token stop = {});
    ~MergedEvents();

    /// Steps to the next event. Returns false at the end.
    bool next()
    {
        if (m_next == m_runEnd || m_next->time >= m_runLimit)
            return startRun();
        m_event.record = m_next;
        m_event.type = &m_types[m_next->type];
        ++m_next;
        return true;
    }

    /// Steps over consecutive events of one stream, at most `most`. event() is then the first of them, and losses are due at that event
    /// only. Empty at the end. Requires: most > 0.
    EventRun nextRun(std::size_t most);

    const EventView& event() const { return m_event; }

    /// True if takeLosses() would return any. Cheap.
    bool hasLosses() const { return m_hasLosses; }

    /// Returns losses met since the last call whose gap ends at or before the current event; at the end of the events, all losses.
    std::vector<Loss> takeLosses();

    /// True if takeOpenedLosses() would return any. Cheap.
    bool hasOpenedLosses() const { return m_hasOpenedLosses; }

    /// Returns losses whose gap begins at or before the current event, each once: all events before the gap have been stepped to.
    /// takeLosses() returns them again when they end.
    std::vector<Loss> takeOpenedLosses();

    /// Positions from which reading resumes with the current event.
    std::vector<StreamPosition> positions() const;

    std::vector<Diagnostic> diagnostics() const;

private:
    struct Source;
    class Impl;

    const EventRecord* endOfRun(std::size_t most) const;
    /// Finds the stream with the earliest event, and the end of its run: the time at which another stream comes first.
    bool startRun();
    /// Limits the run to the first loss that is due after its begin, and finds the losses that are due at `time`.
    void limitByLosses(HostTimestamp time);

    const EventTypes& m_types;
    EventView m_event;
    const EventRecord* m_runBegin = nullptr;
    const EventRecord* m_next = nullptr; ///< Event after the current one in its batch.
    const EventRecord* m_runEnd = nullptr; ///< End of the batch.
    HostTimestamp m_runLimit; ///< Time at which the run ends, if it is before the end of the batch.
    bool m_isOrdered = false; ///< True if the times in the batch are known to ascend.
    bool m_hasLosses = false;
    bool m_hasOpenedLosses = false;
    std::unique_ptr<Impl> m_impl;
};

/// Calls `take` for all events of a trace, merged. Stops early after `stop` is requested.
/// Cost: that of MergedEvents.
template <typename Take> void forEachEvent(const Trace& trace, const Take& take, const std::stop_token& stop)
{
    MergedEvents events(trace, {}, stop);
    while (!stop.stop_requested() && events.next())
        take(events.event());
}

} // namespace helio
