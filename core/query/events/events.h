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

/// Walks the events of all traces in the experiment's order: by time, then trace, then stream.
/// Threads: to be used by one thread.
class EventCursor {
public:
    /// Starts at the first event at or after `from`. Uses the stores' merge index if there is one.
    EventCursor(std::shared_ptr<const Timeline> timeline, Timestamp from);
    /// Walks all events in the window, in the experiment's order, also if times go back within a stream.
    EventCursor(std::shared_ptr<const Timeline> timeline, TimeRange window);
    ~EventCursor();

    /// Steps to the next event, at first to the first one. Returns false at the end.
    bool next();

    // The functions below describe the current event; results are valid until the next step.
    const EventView& event() const;
    Timestamp time() const;
    std::uint32_t trace() const;

    /// Returns the anomalies in a trace's events, as far as the events were read.
    std::vector<Diagnostic> diagnostics(std::uint32_t trace) const;

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

/// One line of the event table.
struct EventRow {
    std::uint64_t index = 0; ///< Number of the event in the experiment's order.
    std::uint32_t trace = 0;
    Timestamp time;
    std::int32_t cpu = -1;
    std::string name;
    std::string stream;
    std::string host; ///< Label of the host; empty if there is only one host.
    std::string traceName; ///< Empty if there is only one trace.
    std::vector<NamedValue> context;
    std::vector<NamedValue> fields;
    std::int64_t tid = -1; ///< TID of the current thread; -1 if not known.
    bool hasTime = true; ///< False if the trace or stream has no times; `time` is then only a position.
};

/// The events as a table with random access. Rows are decoded again from the trace: a jump costs a few ms.
/// Threads: to be used by one thread at a time.
class EventTable {
public:
    explicit EventTable(std::shared_ptr<const Timeline> timeline);
    ~EventTable();

    std::uint64_t size() const; ///< Number of events known so far.

    /// Returns the rows [first, first + count), fewer at the end.
    std::vector<EventRow> rows(std::uint64_t first, std::size_t count, std::stop_token stop = {});

    /// Returns the rows with these numbers; `numbers` ascends. Rows that do not exist are left out. Events between the numbers are stepped
    /// over, not decoded into rows.
    std::vector<EventRow> rows(std::span<const std::uint64_t> numbers, std::stop_token stop = {});

    /// Returns the number of the first event at or after `at`; size() if there is none.
    std::uint64_t indexAt(Timestamp at, std::stop_token stop = {});

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

/// A hit of a search, or a line of a filtered table.
struct EventHit {
    std::uint64_t index = 0;
    Timestamp time;
    std::uint32_t trace = 0;
    bool operator==(const EventHit&) const = default;
};

/// Finds all events that match, in order, in parts: `onHits` is called from the calling thread with each part and the share done (0 to 1).
/// Returns early once `stop` is requested or `limit` hits were found (0: no limit).
void findEvents(std::shared_ptr<const Timeline> timeline, std::shared_ptr<const Expression> expression, TimeRange range, std::size_t limit,
                const std::function<void(std::vector<EventHit>, double)>& onHits, std::stop_token stop = {});

/// Returns the nearest matching event after or before event number `fromIndex` (exclusive). Count 0 or 1.
std::vector<EventHit> findNextEvent(std::shared_ptr<const Timeline> timeline, std::shared_ptr<const Expression> expression,
                                    std::uint64_t fromIndex, bool forward, std::stop_token stop = {});

} // namespace helio
