#pragma once

#include "core/analyses/disks/block_events.h"

#include <unordered_map>

namespace helio::disks {

/// Which thread each CPU has, as sched_switch says it, of a trace whose own events of disks do not say who did them; nothing of others,
/// which need it not. One thread.
class RunningThreads {
public:
    RunningThreads(const Trace& trace, bool areNeeded);

    bool isSwitch(EventTypeId type) const { return m_switches[static_cast<std::size_t>(type)].tid.isValid(); }
    /// Requires: a switch.
    void take(const EventView& event);
    /// Whatever ran was lost.
    void forget() { m_threads.clear(); }
    Doer on(std::int32_t cpu) const;

private:
    struct Switch {
        FieldRef tid;
        FieldRef name;
    };
    std::vector<Switch> m_switches; ///< By EventTypeId; without a tid: another event.
    std::unordered_map<std::int32_t, Doer> m_threads; ///< By CPU.
};

} // namespace helio::disks
