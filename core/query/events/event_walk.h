#pragma once

#include "core/experiment/timeline.h"
#include "core/trace/merged_events.h"

#include <cstdint>
#include <map>
#include <memory>
#include <stop_token>
#include <vector>

namespace helio {

/// A position in the experiment's order of events: the number of events before the position, for each trace.
using EventPosition = std::vector<std::uint64_t>;

/// Iterates over the events of all traces from a position on, merged in the order (time, trace).
/// Threads: to be used by one thread.
class EventWalk {
public:
    /// Starts at the first event at or after `from` in each trace.
    EventWalk(std::shared_ptr<const Timeline> timeline, Timestamp from, std::stop_token stop = {});
    /// Starts at `place`, for example a result of place(): skips that many events of each trace.
    EventWalk(std::shared_ptr<const Timeline> timeline, const EventPosition& place, std::stop_token stop = {});
    ~EventWalk();

    bool next();
    const EventView& event() const { return m_traces[m_current].events->event(); }
    Timestamp time() const { return m_traces[m_current].time; }
    std::uint32_t trace() const { return m_current; }

    /// Returns the number of the current event: the count of events before it in the whole experiment.
    std::uint64_t index() const;
    EventPosition place() const;
    /// Returns the number of the event at which the walk started.
    std::uint64_t startIndex() const { return m_startIndex; }
    /// Returns the anomalies found so far in the trace's events.
    std::vector<Diagnostic> diagnostics(std::uint32_t trace) const { return m_traces[trace].events->diagnostics(); }

private:
    struct TraceWalk {
        std::unique_ptr<MergedEvents> events;
        std::uint64_t before = 0; ///< Number of the trace's events before the current event.
        Timestamp time;
        bool isAtEnd = false;
    };
    void openAt(std::size_t trace, std::uint64_t event, const std::stop_token& stop);
    void openFrom(std::size_t trace, Timestamp from, const std::stop_token& stop);
    void openNear(std::size_t trace, const MergeCheckpoint* checkpoint);
    void step(std::size_t trace);
    void choose();

    std::shared_ptr<const Timeline> m_timeline;
    std::vector<TraceWalk> m_traces;
    std::uint32_t m_current = 0;
    std::uint64_t m_startIndex = 0;
    bool m_isStarted = false;
};

/// Returns the time at which a search for events before `end` may stop: once a walk reaches an event at or after this time, it has passed
/// all events before `end`. Returns `end` if all streams are in time order. Returns a later time if times go back within a stream, or if
/// they may go back in a part of a stream that is not indexed yet.
Timestamp walkEndFor(const Timeline& timeline, Timestamp end);

/// Finds the position of an event by its number in the whole experiment. With one trace, the number is the position. With several traces,
/// computes positions at the checkpoints of the longest trace on demand and caches them.
/// Threads: to be used by one thread.
class EventLocator {
public:
    explicit EventLocator(std::shared_ptr<const Timeline> timeline);

    /// Returns a position at or before event number `index`, at most about 65,536 events per trace before it.
    EventPosition near(std::uint64_t index, const std::stop_token& stop);

    /// Returns the number of events indexed so far, over all traces.
    std::uint64_t total() const { return m_total; }

private:
    EventPosition atCheckpoint(std::size_t number, const std::stop_token& stop);

    std::shared_ptr<const Timeline> m_timeline;
    std::size_t m_longest = 0;
    std::uint64_t m_total = 0;
    std::map<std::size_t, EventPosition> m_known; ///< Cached positions of checkpoints of the longest trace, keyed by checkpoint number.
};

} // namespace helio
