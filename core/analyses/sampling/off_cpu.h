#pragma once

#include "core/event_model/prev_state.h"
#include "core/store/samples.h"
#include "core/trace/fields/field_ref.h"

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>

namespace helio::sampling {

/// What is read of sched_switch.
struct SwitchFields {
    FieldRef prevTid;
    FieldRef prevState;
    FieldRef nextTid;
    /// Nothing where the type is no sched_switch.
    static std::optional<SwitchFields> of(const EventType& type);
};

/// What is read of sched_waking, sched_wakeup and sched_wakeup_new.
struct WakeFields {
    FieldRef tid;
    static std::optional<WakeFields> of(const EventType& type);
};

/// Makes samples of the time that threads have no CPU, from sched_switch: with the stack they left with.
///
/// Kinds: "off-cpu:blocked" until they are woken (or, where wake-ups are not recorded, until they run again), "off-cpu:waiting" from then
/// until they run, "off-cpu:preempted" where they would have run on; and "off-cpu:woken-by": blocked times once more, by who ended them,
/// with the waker's stack. What is still off its CPU at the end is cut there, where every return to one is seen; what was so at the begin
/// is not known. Lost events make all of it unknown.
class OffCpu {
public:
    OffCpu(SampleSink& sink, PrevStates& states, bool seesReturns)
        : m_sink(sink)
        , m_states(states)
        , m_seesReturns(seesReturns)
    {
    }

    /// `sample`: the switch's own, of the thread that leaves.
    void onSwitch(const HostSample& sample, const SwitchFields& fields, const EventView& event, bool isKernelThread);
    /// `sample`: the wake-up's own, of the thread that wakes.
    void onWake(const HostSample& sample, std::int64_t tid);
    void forget() { m_away.clear(); }
    void finish(HostTimestamp at);

private:
    struct Away {
        HostSample sample; ///< Of the switch.
        LeaveReason left = LeaveReason::Waiting;
        std::optional<HostSample> waker; ///< The first wake-up.
    };
    enum KindIndex : std::size_t { Blocked, Waiting, Preempted, WokenBy };

    void addSamples(const Away& away, HostTimestamp at);
    void add(const HostSample& like, KindIndex kind, HostTimestamp from, HostTimestamp to);

    SampleSink& m_sink;
    PrevStates& m_states;
    const bool m_seesReturns; ///< Else a thread may have got a CPU from one that is not recorded.
    std::array<std::optional<SampleKindId>, 4> m_kinds; ///< Made when they are first needed.
    std::unordered_map<std::int64_t, Away> m_away; ///< By tid.
};

} // namespace helio::sampling
