#pragma once

#include "core/query/events/events.h"
#include "core/trace/fields/field_ref.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace helio {

/// Finds the arguments of system calls in logs of system calls (strace), which print them as one text.
///
/// Threads: to be used by one thread.
/// Cost: reads each event between the first and the last call once; nothing if the timeline has no such log.
class LoggedArguments {
public:
    explicit LoggedArguments(std::shared_ptr<const Timeline> timeline);

    /// Returns the arguments of the call that the thread with the ID `tid` in `trace` began at `begin`; empty if unknown. Valid until the
    /// next call of of(). Requires: `begin` is not earlier than in the previous call of of().
    std::string_view of(std::uint32_t trace, std::int32_t tid, Timestamp begin);

private:
    /// Fields of a type of events; invalid unless the events are entries of logged calls.
    struct Fields {
        FieldRef arguments;
        FieldRef tid;
    };
    struct Entry {
        std::uint32_t trace = 0;
        std::int32_t tid = -1;
        std::string arguments;
    };

    void takeEntry();

    const std::shared_ptr<const Timeline> m_timeline;
    bool m_hasLogs = false;
    std::unordered_map<const EventType*, Fields> m_fields;
    std::optional<EventCursor> m_cursor; ///< nullopt before the first call of of().
    bool m_hasEvent = false; ///< True if m_cursor is at an event.
    Timestamp m_at = Timestamp::min();
    std::vector<Entry> m_entries; ///< Entries of calls at m_at.
};

} // namespace helio
