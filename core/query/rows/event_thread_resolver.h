#pragma once

#include "core/query/rows/rows.h"
#include "core/trace/event.h"
#include "core/trace/fields/field_ref.h"

#include <optional>
#include <string_view>
#include <vector>

namespace helio {

/// Finds the thread of each event of a trace: the thread of the event's tid context; for sched_switch, the thread that leaves the CPU; else
/// the thread that ran on the event's CPU according to the store. nullopt if unknown.
/// Threads: to be used by one thread at a time; the timeline outlives the object.
/// Cost: up to a few µs per event if the thread changed.
class EventThreadResolver {
public:
    EventThreadResolver(const Timeline& timeline, std::uint32_t trace);

    std::optional<std::int64_t> tid(const EventView& event) const;
    std::optional<std::int64_t> pid(const EventView& event) const;
    /// Returns the thread name recorded in the event, else the last name of the event's thread; empty if unknown. Valid as long as the
    /// event.
    std::string_view name(const EventView& event) const;

private:
    struct Handles {
        FieldRef tid;
        FieldRef pid;
        FieldRef name;
    };
    /// Returns the track of the thread that ran on the event's CPU; nullptr if the CPU was idle or the thread is unknown.
    const Track* current(const EventView& event) const;

    /// Returns the track of the thread that has a TID at a time; nullptr if unknown.
    const Track* withTid(std::int64_t tid, HostTimestamp at) const;

    const Timeline& m_timeline;
    const std::uint32_t m_trace;
    std::vector<Handles> m_handles; ///< Field handles for thread, process and name, indexed by event type.
    std::vector<TrackRef> m_cpus; ///< Row that shows the threads on a CPU, indexed by CPU; not valid if the CPU has no such row.

    /// Cache entry: the thread on a CPU, and the range in which it ran.
    struct Current {
        HostRange range{};
        const Track* thread = nullptr;
    };
    mutable std::vector<Current> m_current; ///< Cache of the last thread found on each CPU, indexed by CPU.
};

} // namespace helio
