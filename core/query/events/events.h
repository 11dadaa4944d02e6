#pragma once

#include "core/base/time.h"
#include "core/query/filters/expression.h"
#include "core/trace/event.h"
#include "core/trace/fields/field_value.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// Walks the events of all traces in the experiment's order: by time, then trace, then stream. One thread.
class EventCursor {
public:
    /// From the first event at or after `from`. Uses the stores' merge index where there is one.
    EventCursor(std::shared_ptr<const Timeline> timeline, Timestamp from);
    /// All events in the window, in the experiment's order, also where times go back within a stream.
    EventCursor(std::shared_ptr<const Timeline> timeline, TimeRange window);
    ~EventCursor();

    /// Steps to the next (at first: the first) event. False: the end.
    bool next();

    // Of the current event; valid until the next step.
    const EventView& event() const;
    Timestamp time() const;
    std::uint32_t trace() const;

    /// Anomalies in a trace's events, as far as the events were read.
    std::vector<Diagnostic> diagnostics(std::uint32_t trace) const;

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

/// One line of the event table.
struct EventRow {
    std::uint64_t index = 0; ///< Its number in the experiment's order.
    std::uint32_t trace = 0;
    Timestamp time;
    std::int32_t cpu = -1;
    std::string name;
    std::string stream;
    std::string host; ///< Its label, where there are several hosts.
    std::string traceName; ///< Where there are several traces.
    std::vector<NamedValue> context;
    std::vector<NamedValue> fields;
    std::int64_t tid = -1; ///< Of the thread that was current, where known.
    bool hasTime = true; ///< False: its trace or stream has no times, and `time` is only where it stands.
};

/// The events as a table that can be jumped into. Rows are decoded again from the trace: a jump costs a few ms.
/// Threads: one at a time.
class EventTable {
public:
    explicit EventTable(std::shared_ptr<const Timeline> timeline);
    ~EventTable();

    std::uint64_t size() const; ///< All events known so far.

    /// Rows [first, first + count), fewer at the end.
    std::vector<EventRow> rows(std::uint64_t first, std::size_t count, std::stop_token stop = {});

    /// The rows with these numbers, ascending; those that are not there are left out. Only they are decoded: what lies between is stepped
    /// over.
    std::vector<EventRow> rows(std::span<const std::uint64_t> numbers, std::stop_token stop = {});

    /// The number of the first event at or after `at`; size() where there is none.
    std::uint64_t indexAt(Timestamp at, std::stop_token stop = {});

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

/// A hit of a search or a line of a filtered table.
struct EventHit {
    std::uint64_t index = 0;
    Timestamp time;
    std::uint32_t trace = 0;
    bool operator==(const EventHit&) const = default;
};

/// Finds all events that match, in order, in parts: `onHits` is called from this thread with each part and the share done (0 to 1).
/// Returns early once `stop` is requested or `limit` hits were found (0: no limit).
void findEvents(std::shared_ptr<const Timeline> timeline, std::shared_ptr<const Expression> expression, TimeRange range, std::size_t limit,
                const std::function<void(std::vector<EventHit>, double)>& onHits, std::stop_token stop = {});

/// The event hits next to `at` (exclusive), forward or backward. Count 0 or 1.
std::vector<EventHit> findNext(std::shared_ptr<const Timeline> timeline, std::shared_ptr<const Expression> expression,
                               std::uint64_t fromIndex, bool forward, std::stop_token stop = {});

} // namespace helio
