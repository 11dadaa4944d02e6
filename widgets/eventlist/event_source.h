#pragma once

#include "core/query/events/events.h"

#include <memory>

namespace helio {

/// Reads the events of an event list: an EventTable, or a fake in tests.
/// Threads: to be used by one thread at a time, never the UI thread.
class EventSource {
public:
    virtual ~EventSource() = default;
    virtual std::uint64_t size() const = 0;
    virtual std::vector<EventRow> rows(std::uint64_t first, std::size_t count, std::stop_token stop) = 0;
    /// Returns the rows of these event numbers, which must ascend; numbers without an event are skipped.
    virtual std::vector<EventRow> rows(std::span<const std::uint64_t> numbers, std::stop_token stop) = 0;
    virtual std::uint64_t indexAt(Timestamp at, std::stop_token stop) = 0;
};

/// Makes a source. Called on the list's background thread, so it may read the trace.
using EventSourceMaker = std::function<std::unique_ptr<EventSource>()>;

EventSourceMaker makeEventSource(std::shared_ptr<const Timeline> timeline);

} // namespace helio
