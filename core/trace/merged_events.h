#pragma once

#include "core/trace/trace.h"

#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace helio {

/// Events of all streams of one trace, merged by (time, stream index) like in babeltrace2. Events of one stream keep the order of the file,
/// even if their times go back. A loss is reported at the end of its gap.
///
/// Threads: to be used by one thread at a time.
/// Cost: a few instructions per event; no allocation per event.
class MergedEvents {
public:
    /// Starts at the positions `from`, or at the start of every stream if `from` is empty. After `stop` is requested, the events end before
    /// another batch is read.
    explicit MergedEvents(const Trace& trace, std::span<const StreamPosition> from = {}, std::stop_token stop = {});
    ~MergedEvents();

    /// Moves to the next event. Returns false at the end.
    bool next()
    {
        if (m_next == m_runEnd || m_next->time >= m_runLimit)
            return startRun();
        m_event.record = m_next;
        m_event.type = &m_types[m_next->type];
        ++m_next;
        return true;
    }

    /// Moves over a run of at most `most` consecutive events of one stream and returns the run; empty at the end. event() is then the first
    /// event of the run, and losses can be due at that event only. Requires: most > 0.
    EventRun nextRun(std::size_t most);

    const EventView& event() const { return m_event; }

    /// True if takeLosses() would return a loss. Cheap.
    bool hasLosses() const { return m_hasLosses; }

    /// Returns the losses that were found since the last call, if their gap ends at or before the current event; at the end of the events,
    /// all losses.
    std::vector<Loss> takeLosses();

    /// True if takeOpenedLosses() would return a loss. Cheap.
    bool hasOpenedLosses() const { return m_hasOpenedLosses; }

    /// Returns the losses that this function has not returned yet, if their gap begins at or before the current event. All events before a
    /// gap are returned before its loss. takeLosses() returns each of these losses a second time, when its gap ends.
    std::vector<Loss> takeOpenedLosses();

    /// Positions, by stream, from which reading can resume with the current event.
    std::vector<StreamPosition> positions() const;

    std::vector<Diagnostic> diagnostics() const;

private:
    struct Source;
    class Impl;

    const EventRecord* endOfRun(std::size_t most) const;
    /// Selects the stream with the earliest event and sets m_runLimit, the end of the stream's run: the time of the first event of another
    /// stream.
    bool startRun();
    /// Sets m_hasLosses and m_hasOpenedLosses for gaps that end or begin at or before `time`. For later gaps, limits the run to the first
    /// begin or end of a gap.
    void limitByLosses(HostTimestamp time);

    const EventTypes& m_types;
    EventView m_event;
    const EventRecord* m_runBegin = nullptr;
    const EventRecord* m_next = nullptr; ///< Event after the current one in its batch.
    const EventRecord* m_runEnd = nullptr; ///< End of the current event's batch.
    HostTimestamp m_runLimit; ///< Exclusive end of the current run; the run also ends where its batch ends.
    /// True if the batch says that its times never decrease, so that the end of a run can be found by a search with growing steps.
    bool m_isOrdered = false;
    bool m_hasLosses = false;
    bool m_hasOpenedLosses = false;
    std::unique_ptr<Impl> m_impl;
};

/// Calls `take` for all events of a trace in merged order. Ends early after `stop` is requested.
/// Cost: that of MergedEvents.
template <typename Take> void forEachEvent(const Trace& trace, const Take& take, const std::stop_token& stop)
{
    MergedEvents events(trace, {}, stop);
    while (!stop.stop_requested() && events.next())
        take(events.event());
}

} // namespace helio
