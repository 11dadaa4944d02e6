#pragma once

#include "core/experiment/timeline.h"
#include "core/trace/merged_events.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

namespace helio {

/// How many events of each trace come before a place in the experiment's order.
using EventPlace = std::vector<std::uint64_t>;

/// The merge of all traces' merged events, from a place on: order by (time, trace). One thread.
class EventWalk {
public:
    /// From the first event at or after `from` in each trace.
    EventWalk(std::shared_ptr<const Timeline> timeline, Timestamp from, std::stop_token stop = {});
    /// From a place.
    EventWalk(std::shared_ptr<const Timeline> timeline, const EventPlace& place, std::stop_token stop = {});
    ~EventWalk();

    bool next();
    const EventView& event() const { return m_traces[m_current].events->event(); }
    Timestamp time() const { return m_traces[m_current].time; }
    std::uint32_t trace() const { return m_current; }

    /// Of the next event: the number of events before it in all.
    std::uint64_t index() const;
    EventPlace place() const;
    /// As it was at the start.
    std::uint64_t startIndex() const { return m_startIndex; }
    /// Anomalies in a trace's events, as far as the events were read.
    std::vector<Diagnostic> diagnostics(std::uint32_t trace) const { return m_traces[trace].events->diagnostics(); }

private:
    struct TraceWalk {
        std::unique_ptr<MergedEvents> events;
        std::uint64_t before = 0; ///< Events before the one it stands at.
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

/// A time at or after `end`: a walk that reaches an event there has stepped over all events before `end`. It is later where times
/// go back within a stream, or may do so for what is known without reading it.
Timestamp lastEventBefore(const Timeline& timeline, Timestamp end);

} // namespace helio
