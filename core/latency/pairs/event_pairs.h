#pragma once

#include "core/base/result.h"
#include "core/query/rows/rows.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>

namespace helio {

/// The name of an event type and one of its fields, in the payload or a context.
struct EventField {
    std::string event;
    std::string field;
};

/// Definition of a latency from an event to the first event after it with an equal field value, for example "sched_waking(tid) ->
/// sched_switch(next_tid)".
struct EventPairLatency {
    EventField first;
    EventField last;
};

/// Returns the text that parseEventPairs() parses.
std::string textOf(const EventPairLatency& pairs);
/// Returns the names of all events with fields that can be compared, and these fields, sorted by name.
std::map<std::string, std::set<std::string>> pairableEvents(const Timeline& timeline);
bool hasPairableEvents(const Timeline& timeline); ///< True if pairableEvents() is not empty.
                                                  ///< Cost: less than pairableEvents().
/// True if the text is meant as a pair of events: it has an arrow.
bool isEventPairs(std::string_view text);
/// Parses "EVENT(FIELD) -> EVENT(FIELD)".
/// Errors: the message says what is missing.
Result<EventPairLatency> parseEventPairs(std::string_view text);
/// Checks that the traces have these events and fields.
/// Errors: no trace has such an event, or traces recorded only a part of these events (those are ignored), or they lack the field, or the
/// field is neither text nor a whole number.
Status checkEventPairs(const Timeline& timeline, const EventPairLatency& pairs);
/// Returns the name of the event that was recorded only in part in any trace; empty if there is none.
std::string partlyRecordedEvent(const Timeline& timeline, const EventPairLatency& pairs);

/// An event and the first event after it on its host with the same value.
struct EventPair {
    TimeRange range;
    std::string value;
    // Trace, CPU and thread are those of the first event.
    std::uint32_t trace = 0;
    std::int32_t cpu = -1; ///< -1 if unknown.
    std::int32_t tid = -1; ///< -1 if unknown.
};

/// Calls `take` for each pair that lies entirely in the window, in the order of their ends. A first event that repeats before a last event
/// starts anew. One event may end a pair and start another pair. Returns the count of pairs that were left out because events of the host
/// were lost meanwhile, so that the last event is uncertain. Returns early once `stop` is requested.
/// Memory: about 100 bytes for each value with an open pair.
/// Cost: reads the events of the window.
std::uint64_t forEachEventPair(const std::shared_ptr<const Timeline>& timeline, const EventPairLatency& pairs, TimeRange window,
                               const std::function<void(const EventPair&)>& take, std::stop_token stop = {});

} // namespace helio
