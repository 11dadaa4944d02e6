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

/// An event type's name, and a field in its payload or contexts.
struct EventField {
    std::string event;
    std::string field;
};

/// Definition of a latency: the time from an event to the first later event with an equal field value, for example "sched_waking(tid) ->
/// sched_switch(next_tid)".
struct EventPairLatency {
    EventField first;
    EventField last;
};

/// Returns the definition of the latency as text: "EVENT(FIELD) -> EVENT(FIELD)", as parseEventPairs() reads it.
std::string textOf(const EventPairLatency& pairs);
/// Returns the events with comparable fields: names of fields, keyed by event name.
std::map<std::string, std::set<std::string>> pairableEvents(const Timeline& timeline);
/// True if pairableEvents() is not empty.
/// Cost: less than pairableEvents().
bool hasPairableEvents(const Timeline& timeline);
/// Returns true if the text contains "->", as in "EVENT(FIELD) -> EVENT(FIELD)".
bool isEventPairs(std::string_view text);
/// Parses "EVENT(FIELD) -> EVENT(FIELD)".
/// Errors: a message that says what is missing in the text.
Result<EventPairLatency> parseEventPairs(std::string_view text);
/// Checks that the traces contain the events and fields of `pairs`.
/// Errors: no trace has the event; all traces with the event recorded it only in part; the event lacks the field; the field is neither text
/// nor an integer.
Status checkEventPairs(const Timeline& timeline, const EventPairLatency& pairs);
/// Returns the name of an event of `pairs` that some trace recorded only in part; empty if there is none.
std::string partlyRecordedEvent(const Timeline& timeline, const EventPairLatency& pairs);

/// An event and the first later event on its host with the same value of the compared fields.
struct EventPair {
    TimeRange range;
    std::string value;
    // Index of the trace that contains the first event.
    std::uint32_t trace = 0;
    std::int32_t cpu = -1; ///< CPU of the first event; -1 if unknown.
    std::int32_t tid = -1; ///< Thread of the first event; -1 if unknown.
};

/// Calls `take` for each pair that lies completely in `window`, in order of end times. If the first event repeats before the last event,
/// the pair begins at the repetition. One event may end a pair and begin another pair. Returns early once `stop` is requested.
///
/// Returns the number of pairs that were skipped because the host lost events between first and last event, so that the last event is
/// uncertain. Memory: about 100 bytes for each value with an open pair. Cost: reads the events of `window`.
std::uint64_t forEachEventPair(const std::shared_ptr<const Timeline>& timeline, const EventPairLatency& pairs, TimeRange window,
                               const std::function<void(const EventPair&)>& take, std::stop_token stop = {});

} // namespace helio
