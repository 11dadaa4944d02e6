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

/// The fields of lock:contention_begin and lock:contention_end.
struct ContentionFields {
    FieldRef lock;
    FieldRef tid; ///< TID of the waiting thread in the host's numbering.
    bool isBegin = false;
    static std::optional<ContentionFields> of(const EventType& type);
};

/// Makes samples of the time that threads wait for kernel locks, spinning or sleeping, with the stack at the beginning of the wait.
///
/// The samples have one kind, "lock-wait". A second contention_begin for the same lock continues the wait, e.g. when a mutex is first spun
/// for and then slept for. A wait without an end makes no sample. The idle thread of each CPU can wait, too, in an interrupt while the CPU
/// is idle. Lost events drop all open waits.
class LockWaits {
public:
    explicit LockWaits(SampleSink& sink)
        : m_sink(sink)
    {
    }

    /// Takes an event. `sample`: the event's own sample.
    void take(const HostSample& sample, std::int32_t tid, const ContentionFields& fields, const EventView& event);
    void forget() { m_waits.clear(); }

private:
    using WaitId = std::pair<std::int32_t, std::int64_t>; ///< Thread and lock; the idle thread of a CPU is -1 - CPU.

    SampleSink& m_sink;
    std::optional<SampleKindId> m_kind; ///< Added when first needed.
    std::map<WaitId, HostSample> m_waits; ///< Samples at the beginnings of open waits.
};

/// The fields of sched_switch.
struct SwitchFields {
    FieldRef prevTid;
    FieldRef prevState;
    FieldRef nextTid;
    /// Returns nullopt if the type is not sched_switch.
    static std::optional<SwitchFields> of(const EventType& type);
};

/// The fields of sched_waking, sched_wakeup and sched_wakeup_new.
struct WakeFields {
    FieldRef tid;
    static std::optional<WakeFields> of(const EventType& type);
};

/// Makes samples of the time that threads are off CPU, from sched_switch, with the stack at the switch-out.
///
/// Kinds: "off-cpu:blocked" lasts until the wake-up (until the switch-in if wake-ups are not recorded), "off-cpu:waiting" from the wake-up
/// to the switch-in, "off-cpu:preempted" from a preemption to the switch-in. "off-cpu:woken-by" repeats the blocked times, with the thread
/// and stack of the waker. Threads that are off CPU at the end of the trace get samples up to there if all switch-ins are recorded; their
/// state at the beginning is unknown. Lost events drop all open intervals.
class OffCpu {
public:
    OffCpu(SampleSink& sink, PrevStateDecoder& states, bool seesReturns)
        : m_sink(sink)
        , m_states(states)
        , m_seesReturns(seesReturns)
    {
    }

    /// Takes a switch. `sample`: the switch's own sample, of the thread that is switched out.
    void onSwitch(const HostSample& sample, const SwitchFields& fields, const EventView& event, bool isKernelThread);
    /// Takes a wake-up. `sample`: the wake-up's own sample, of the waker.
    void onWake(const HostSample& sample, std::int64_t tid);
    void forget() { m_away.clear(); }
    void finish(HostTimestamp at);

private:
    struct OffCpuThread {
        HostSample sample; ///< Sample of the switch-out.
        SwitchOutReason left = SwitchOutReason::Waiting;
        std::optional<HostSample> waker; ///< Sample of the first wake-up; nullopt if not woken yet.
    };
    enum KindIndex : std::size_t { Blocked, Waiting, Preempted, WokenBy };

    void addSamples(const OffCpuThread& away, HostTimestamp at);
    void add(const HostSample& like, KindIndex kind, HostTimestamp from, HostTimestamp to);

    SampleSink& m_sink;
    PrevStateDecoder& m_states;
    /// True if all switch-ins are recorded. If false, a thread may have been switched in on a CPU that is not recorded.
    const bool m_seesReturns;
    std::array<std::optional<SampleKindId>, 4> m_kinds; ///< Indexed by KindIndex; added when first needed.
    std::unordered_map<std::int64_t, OffCpuThread> m_away; ///< Threads off CPU, by tid.
};

} // namespace helio::sampling
