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

/// Iterates over the events of all traces in the experiment's order: by time, then trace, then stream.
/// Threads: to be used by one thread.
class EventCursor {
public:
    /// Starts at the first event at or after `from`. Uses the stores' merge index if there is one.
    EventCursor(std::shared_ptr<const Timeline> timeline, Timestamp from);
    /// Iterates over all events in `window`, in the experiment's order. Finds all of them even if times go back within a stream.
    EventCursor(std::shared_ptr<const Timeline> timeline, TimeRange window);
    ~EventCursor();

    /// Moves to the next event; the first call moves to the first event. Returns false at the end.
    bool next();

    // Functions for the current event. Their results are valid until the next call of next().
    const EventView& event() const;
    Timestamp time() const;
    std::uint32_t trace() const;

    /// Returns the anomalies found so far in the trace's events.
    std::vector<Diagnostic> diagnostics(std::uint32_t trace) const;

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

/// One row of the event table: a decoded event.
struct EventRow {
    std::uint64_t index = 0; ///< Number of the event in the experiment's order, from 0.
    std::uint32_t trace = 0;
    Timestamp time;
    std::int32_t cpu = -1;
    std::string name;
    std::string stream;
    std::string host; ///< Label of the host; empty if there is only one host.
    std::string traceName; ///< Name of the trace; empty if there is only one trace.
    std::vector<NamedValue> context;
    std::vector<NamedValue> fields;
    /// Text of the fields as the tracer's own tools print them. Empty if the trace's format has no such text, or if the EventTable was made
    /// with `hasTexts` false.
    std::string text;
    std::int64_t tid = -1; ///< TID of the thread that the event occurred in; -1 if unknown.
    bool hasTime = true; ///< False if the trace or stream has no times; `time` is then only a position in the order of events.
};

/// The events as a table with random access. Rows are decoded from the trace on each call; a jump to another place costs a few ms.
/// Threads: to be used by one thread at a time.
class EventTable {
public:
    /// If `hasTexts` is true, EventRow::text is set. That costs about 10 us per row, and up to a second for the first row.
    explicit EventTable(std::shared_ptr<const Timeline> timeline, bool hasTexts = false);
    ~EventTable();

    std::uint64_t size() const; ///< Returns the number of events indexed so far.

    /// Returns the rows [first, first + count); fewer at the end of the table.
    std::vector<EventRow> rows(std::uint64_t first, std::size_t count, std::stop_token stop = {});

    /// Returns the rows with the given numbers, except rows that do not exist. Requires: `numbers` is sorted.
    std::vector<EventRow> rows(std::span<const std::uint64_t> numbers, std::stop_token stop = {});

    /// Returns the number of the first event at or after `at`; size() if no event follows.
    std::uint64_t indexAt(Timestamp at, std::stop_token stop = {});

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

/// An event that matches a search or the filter of a table.
struct EventHit {
    std::uint64_t index = 0;
    Timestamp time;
    std::uint32_t trace = 0;
    bool operator==(const EventHit&) const = default;
};

/// Finds all matching events, in order. Calls `onHits` from the calling thread with the hits since the last call and the share done (0 to
/// 1). Returns early if `stop` is requested or `limit` hits were found (0: no limit).
void findEvents(std::shared_ptr<const Timeline> timeline, std::shared_ptr<const Expression> expression, TimeRange range, std::size_t limit,
                const std::function<void(std::vector<EventHit>, double)>& onHits, std::stop_token stop = {});

/// Returns the nearest matching event after event number `fromIndex` or, if `forward` is false, before it. Empty if no event matches.
std::vector<EventHit> findNextEvent(std::shared_ptr<const Timeline> timeline, std::shared_ptr<const Expression> expression,
                                    std::uint64_t fromIndex, bool forward, std::stop_token stop = {});

} // namespace helio
