#pragma once

#include "core/experiment/timeline.h"
#include "core/trace/merged_events.h"

#include <cstdint>
#include <map>
#include <memory>
#include <stop_token>
#include <vector>

namespace helio {

/// A position in the experiment's order: for each trace, the number of its events before it.
using EventPosition = std::vector<std::uint64_t>;

/// Merges the events of all traces from a position on, ordered by (time, trace).
/// Threads: to be used by one thread.
class EventWalk {
public:
    /// Starts at the first event at or after `from` in each trace.
    EventWalk(std::shared_ptr<const Timeline> timeline, Timestamp from, std::stop_token stop = {});
    /// Starts at a position.
    EventWalk(std::shared_ptr<const Timeline> timeline, const EventPosition& place, std::stop_token stop = {});
    ~EventWalk();

    bool next();
    const EventView& event() const { return m_traces[m_current].events->event(); }
    Timestamp time() const { return m_traces[m_current].time; }
    std::uint32_t trace() const { return m_current; }

    /// Returns the number of events before the current one in the experiment.
    std::uint64_t index() const;
    EventPosition place() const;
    /// Returns index() at the start of the walk.
    std::uint64_t startIndex() const { return m_startIndex; }
    /// Returns the anomalies in a trace's events, as far as the events were read.
    std::vector<Diagnostic> diagnostics(std::uint32_t trace) const { return m_traces[trace].events->diagnostics(); }

private:
    struct TraceWalk {
        std::unique_ptr<MergedEvents> events;
        std::uint64_t before = 0; ///< Number of the trace's events before its current one.
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

/// Returns a time at or after `end` such that a walk that reaches an event there has passed all events before `end`. It is later than `end`
/// if times go back within a stream, or if they may do so in parts not read yet.
Timestamp lastEventBefore(const Timeline& timeline, Timestamp end);

/// Finds the position of event number n of the whole experiment. With one trace that is arithmetic. With several traces, positions at the
/// checkpoints of the longest trace are found when needed, and cached.
/// Threads: to be used by one thread.
class EventLocator {
public:
    explicit EventLocator(std::shared_ptr<const Timeline> timeline);

    /// Returns a position at or before the event, near enough to walk from (at most about 65,536 events per trace).
    EventPosition near(std::uint64_t index, const std::stop_token& stop);

    /// Returns the number of events known so far.
    std::uint64_t total() const { return m_total; }

private:
    EventPosition atCheckpoint(std::size_t number, const std::stop_token& stop);

    std::shared_ptr<const Timeline> m_timeline;
    std::size_t m_longest = 0;
    std::uint64_t m_total = 0;
    std::map<std::size_t, EventPosition> m_known; ///< Keyed by checkpoint number of the longest trace.
};

} // namespace helio
