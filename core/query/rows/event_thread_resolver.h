#pragma once

#include "core/query/rows/rows.h"
#include "core/trace/event.h"
#include "core/trace/fields/field_ref.h"

#include <optional>
#include <string_view>
#include <vector>

namespace helio {

/// Finds the thread of a trace's events: from the event's tid context; of sched_switch, the thread that leaves; else the thread that the
/// store says was current on the event's CPU. nullopt if not known.
/// Threads: to be used by one thread at a time; the timeline outlives the object.
/// Cost: up to a few µs per event if the thread changed.
class EventThreadResolver {
public:
    EventThreadResolver(const Timeline& timeline, std::uint32_t trace);

    std::optional<std::int64_t> tid(const EventView& event) const;
    std::optional<std::int64_t> pid(const EventView& event) const;
    /// Returns the name in the event, else the last name of its thread; empty if not known. Valid until the event is gone.
    std::string_view name(const EventView& event) const;

private:
    struct Handles {
        FieldRef tid;
        FieldRef pid;
        FieldRef name;
    };
    /// Returns the current thread's track on the event's CPU; nullptr if unknown or idle.
    const Track* current(const EventView& event) const;

    /// Returns the track of the thread that has a TID at a time; nullptr if unknown.
    const Track* withTid(std::int64_t tid, HostTimestamp at) const;

    const Timeline& m_timeline;
    const std::uint32_t m_trace;
    std::vector<Handles> m_handles; ///< Indexed by event type.
    std::vector<TrackRef> m_cpus; ///< Row of threads of each CPU, by CPU. Not valid: none.

    /// The last answer for a CPU, and the range for which it holds.
    struct Current {
        HostRange range{};
        const Track* thread = nullptr;
    };
    mutable std::vector<Current> m_current; ///< Indexed by CPU.
};

} // namespace helio
