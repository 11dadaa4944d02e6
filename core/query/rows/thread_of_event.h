#pragma once

#include "core/query/rows/rows.h"
#include "core/trace/event.h"
#include "core/trace/fields/field_ref.h"

#include <optional>
#include <string_view>
#include <vector>

namespace helio {

/// Which thread an event belongs to, for one trace: its tid context, else for sched_switch the thread that leaves, else the thread that the
/// store says was current on its CPU. None where nobody knows. One thread at a time; the timeline outlives it. Costs up to a few µs an
/// event where the thread changed.
class ThreadOfEvent {
public:
    ThreadOfEvent(const Timeline& timeline, std::uint32_t trace);

    std::optional<std::int64_t> tid(const EventView& event) const;
    std::optional<std::int64_t> pid(const EventView& event) const;
    /// As the event says, else the last one that its thread held. Empty where nobody knows. Valid until the event is gone.
    std::string_view name(const EventView& event) const;

private:
    struct Handles {
        FieldRef tid;
        FieldRef pid;
        FieldRef name;
    };
    /// The current thread's track. Null: unknown or idle.
    const Track* current(const EventView& event) const;

    /// The thread that has a tid at a time. Null: unknown.
    const Track* withTid(std::int64_t tid, HostTimestamp at) const;

    const Timeline& m_timeline;
    const std::uint32_t m_trace;
    std::vector<Handles> m_handles; ///< By event type.
    std::vector<TrackRef> m_cpus; ///< Which thread each CPU has, by CPU. Not valid: none.

    /// The last answer on a CPU and for how long it holds.
    struct Current {
        HostRange range{};
        const Track* thread = nullptr;
    };
    mutable std::vector<Current> m_current; ///< By CPU.
};

} // namespace helio
