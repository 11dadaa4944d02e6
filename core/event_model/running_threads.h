#pragma once

#include "core/trace/fields/by_event_type.h"
#include "core/trace/fields/field_ref.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace helio {

/// Who did something. A tid of -1 and an empty name: not known.
struct RunningThread {
    std::int32_t tid = -1;
    std::string name;
};

/// Which thread each CPU has, as sched_switch says it while a trace is read, for analyses whose own events do not say who did them; nothing
/// of a trace where it is not needed. One thread; the trace outlives it. Cost: some ns a switch, and 10 more where a trace does not keep
/// its bytes.
class RunningThreads {
public:
    enum class Needs : std::uint8_t { Nothing, Numbers, Names };
    RunningThreads(const Trace& trace, Needs needs);

    bool isSwitch(EventTypeId type) const { return m_switches[type].tid.isValid(); }
    /// Requires: a switch.
    void take(const EventView& event);
    /// Whatever ran was lost: on a CPU, or on all.
    void forget(std::int32_t cpu) { onCpu(cpu) = {}; }
    void forget();
    RunningThread on(std::int32_t cpu) const;

    /// Whether threads came onto CPUs that had been left to their idle threads, again and again, with no switch that says so: as of kernels
    /// that record nothing of idle threads, neither switches nor the interrupts that they are in.
    bool areSwitchesFromIdleMissing() const { return m_unseenFromIdle >= FewUnseen; }

    /// The tid that a switch takes off its CPU; -1: it does not say. Requires: a switch.
    std::int32_t takenOff(const EventView& event) const;

private:
    struct Switch {
        FieldRef tid, name, before;
    };
    /// Most switches are never asked for: the name is read when one is, or kept where it would be gone by then. Of a file that is cut short
    /// meanwhile it is empty.
    struct OnCpu {
        std::int32_t tid = -1;
        EventRecord record; ///< Of the switch,
        PacketBytes packet; ///< where its bytes stay.
        std::uint32_t stream = 0;
        std::string name;
    };
    static std::optional<Switch> switchOf(const EventType& type, Needs needs);
    OnCpu& onCpu(std::int32_t cpu);
    RunningThread threadOf(const OnCpu& running) const;

    static constexpr std::uint32_t FewUnseen = 3; ///< One may be of what was lost nearby.
    std::uint32_t m_unseenFromIdle = 0;
    const Trace& m_trace;
    const bool m_keepsBytes;
    ByEventType<Switch> m_switches;
    std::vector<OnCpu> m_threads; ///< By CPU,
    std::unordered_map<std::int32_t, OnCpu> m_others; ///< where it is none of the usual numbers.
};

bool isSwitchOfThreads(const EventType& type);

/// Whether a trace has such switches.
bool hasSwitches(const Trace& trace);

} // namespace helio
