#pragma once

#include "core/event_model/prev_state_decoder.h"
#include "core/store/samples.h"
#include "core/trace/fields/field_ref.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

namespace helio::sampling {

/// Fields of lock:contention_begin and lock:contention_end.
struct ContentionFields {
    FieldRef lock;
    FieldRef tid; ///< Field with the host TID of the waiting thread.
    bool isBegin = false;
    static std::optional<ContentionFields> of(const EventType& type);
};

/// Creates samples of the kind "lock-wait" from the time that threads wait for kernel locks, spinning or sleeping, with the call stack at
/// the start of the wait.
///
/// A second contention_begin for the same lock continues the wait, e.g. when a thread first spins and then sleeps for a mutex. A wait
/// without an end gives no sample. The idle thread of a CPU can wait, too: in an interrupt while the CPU is idle. Lost events drop all open
/// waits.
class LockWaits {
public:
    explicit LockWaits(SampleSink& sink)
        : m_sink(sink)
    {
    }

    /// Processes an event. `sample`: the sample that was recorded with the event.
    void take(const HostSample& sample, std::int32_t tid, const ContentionFields& fields, const EventView& event);
    void forget() { m_waits.clear(); }

private:
    /// Key of a wait: TID of the thread, and address of the lock. For the idle thread of CPU number n, -1 - n replaces the TID.
    using WaitId = std::pair<std::int32_t, std::int64_t>;

    SampleSink& m_sink;
    std::optional<SampleKindId> m_kind; ///< Kind of the lock-wait samples; added when first needed.
    std::map<WaitId, HostSample> m_waits; ///< Samples that were recorded when the waits began, for waits that have not ended.
};

/// Fields of sched_switch that off-CPU samples need: the thread that leaves the CPU and its state, and the thread that gets the CPU.
struct SwitchFields {
    FieldRef prevTid;
    FieldRef prevState;
    FieldRef nextTid;
    /// Returns the fields of an event type; nullopt if the type is not sched_switch.
    static std::optional<SwitchFields> of(const EventType& type);
};

/// Fields of sched_waking, sched_wakeup and sched_wakeup_new.
struct WakeFields {
    FieldRef tid;
    static std::optional<WakeFields> of(const EventType& type);
};

/// Creates samples from the time that threads are off CPU, from sched_switch, with the call stack at the switch-out.
///
/// Kinds of samples:
/// - "off-cpu:blocked": until the wake-up, or until the switch-in if wake-ups are not recorded;
/// - "off-cpu:waiting": from the wake-up to the switch-in;
/// - "off-cpu:preempted": from a preemption to the switch-in;
/// - "off-cpu:woken-by": the blocked times again, with the thread and stack of the waker.
///
/// If all switch-ins are recorded, threads that are off CPU at the end of the trace get samples that end there. There are no samples for
/// times before a thread's first switch-out. Lost events drop all open intervals.
class OffCpu {
public:
    OffCpu(SampleSink& sink, PrevStateDecoder& states, bool seesReturns)
        : m_sink(sink)
        , m_states(states)
        , m_seesReturns(seesReturns)
    {
    }

    /// Processes a switch. `sample`: the sample that was recorded with the switch; it is of the thread that is switched out.
    void onSwitch(const HostSample& sample, const SwitchFields& fields, const EventView& event, bool isKernelThread);
    /// Processes a wake-up. `sample`: a sample of the waker, recorded with the wake-up; `tid`: the woken thread.
    void onWake(const HostSample& sample, std::int64_t tid);
    void forget() { m_away.clear(); }
    void finish(HostTimestamp at);

private:
    struct OffCpuThread {
        HostSample sample; ///< Sample that was recorded with the switch-out.
        SwitchOutReason left = SwitchOutReason::Waiting;
        std::optional<HostSample> waker; ///< Sample at the first wake-up; nullopt if the thread was not woken yet.
    };
    enum KindIndex : std::size_t { Blocked, Waiting, Preempted, WokenBy };

    void addSamples(const OffCpuThread& away, HostTimestamp at);
    void add(const HostSample& like, KindIndex kind, HostTimestamp from, HostTimestamp to);

    SampleSink& m_sink;
    PrevStateDecoder& m_states;
    /// True if all switch-ins are recorded; if false, a thread may have been switched in on an unrecorded CPU.
    const bool m_seesReturns;
    std::array<std::optional<SampleKindId>, 4> m_kinds; ///< Sample kinds, indexed by KindIndex; added when first needed.
    std::unordered_map<std::int64_t, OffCpuThread> m_away; ///< Threads that are off CPU, keyed by TID.
};

} // namespace helio::sampling
