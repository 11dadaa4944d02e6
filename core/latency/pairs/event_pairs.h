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

/// A name of events and one of their fields, of the payload or a context.
struct EventField {
    std::string event;
    std::string field;
};

/// "sched_waking(tid) -> sched_switch(next_tid)": what lasts from an event to the next other one whose field has the same value.
struct EventPairs {
    EventField first;
    EventField last;
};

/// As parseEventPairs() reads it.
std::string textOf(const EventPairs& pairs);
/// The names of all events that have a field which such a pair can be known by, and these fields, each in order.
std::map<std::string, std::set<std::string>> pairableEvents(const Timeline& timeline);
bool hasPairableEvents(const Timeline& timeline); ///< Cost: less.
/// Whether the text is meant to be one: it has an arrow.
bool isEventPairs(std::string_view text);
/// The error says what is missing.
Result<EventPairs> parseEventPairs(std::string_view text);
/// An error where no trace has such events, or only some of them (those are left out), or they have no such field, or it is neither a text
/// nor a whole number.
Status checkEventPairs(const Timeline& timeline, const EventPairs& pairs);
/// Which of the two some trace has only some of; "": none.
std::string sampledOf(const Timeline& timeline, const EventPairs& pairs);

/// From an event to the next one on its host with the same value.
struct EventPair {
    TimeRange range;
    std::string value;
    // Of the first event.
    std::uint32_t trace = 0;
    std::int32_t cpu = -1; ///< -1: not known, like the thread.
    std::int32_t tid = -1;
};

/// Hands over the pairs that lie in the window as a whole, in the order of their ends. A first event that comes again before its last one
/// begins anew. Those during which events of the host were lost are left out: which event is the next one is not known. Answers how many
/// these are. One event may end a pair and begin the next. Ends early once `stop` is requested. Cost: as reading the events of the window;
/// memory: some 100 bytes for each value that waits for its last event.
std::uint64_t eachEventPair(const std::shared_ptr<const Timeline>& timeline, const EventPairs& pairs, TimeRange window,
                            const std::function<void(const EventPair&)>& take, std::stop_token stop = {});

} // namespace helio
