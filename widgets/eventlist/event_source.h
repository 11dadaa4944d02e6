#pragma once

#include "core/query/events/events.h"

#include <memory>

namespace helio {

/// What an event list reads from: an EventTable, or a fake in tests. One thread at a time, never the UI's.
class EventSource {
public:
    virtual ~EventSource() = default;
    virtual std::uint64_t size() const = 0;
    virtual std::vector<EventRow> rows(std::uint64_t first, std::size_t count, std::stop_token stop) = 0;
    /// Of ascending numbers; rows that are not there are left out.
    virtual std::vector<EventRow> rows(std::span<const std::uint64_t> numbers, std::stop_token stop) = 0;
    virtual std::uint64_t indexAt(Timestamp at, std::stop_token stop) = 0;
};

/// Made on the list's own thread: it may read the trace.
using EventSourceMaker = std::function<std::unique_ptr<EventSource>()>;

EventSourceMaker eventSourceOf(std::shared_ptr<const Timeline> timeline);

} // namespace helio
