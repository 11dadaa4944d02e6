#pragma once

#include "core/trace/fields/field_ref.h"
#include "core/trace/fields/values_by_event_type.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace helio {

/// A thread that runs on a CPU. tid is -1 and name is empty if unknown.
struct RunningThread {
    std::int32_t tid = -1;
    std::string name;
};

/// Tracks which thread each CPU has, from sched_switch events while a trace is read. For analyses whose own events do not identify their
/// thread; it does nothing if created with Needs::Nothing.
///
/// Threads: to be used by one thread.
/// Ownership: the trace outlives the object.
/// Cost: a few ns for each switch, and 10 ns more for traces that do not keep their bytes.
class RunningThreads {
public:
    enum class Needs : std::uint8_t { Nothing, Numbers, Names };
    RunningThreads(const Trace& trace, Needs needs);

    bool isSwitch(EventTypeId type) const { return m_switches[type].tid.isValid(); }
    /// Requires: a switch (isSwitch()).
    void take(const EventView& event);
    /// Forgets the thread of a CPU, or of all CPUs, e.g. because events were lost.
    void forget(std::int32_t cpu) { onCpu(cpu) = {}; }
    void forget();
    RunningThread on(std::int32_t cpu) const;

    /// Returns true if threads repeatedly came onto idle CPUs without a switch event. This happens with recordings that contain no
    /// events of idle threads, neither their switches nor the interrupts in them.
    bool missesSwitchesFromIdle() const { return m_unseenFromIdle >= FewUnseen; }

    /// Returns the tid of the thread that a switch takes off its CPU; -1 if not recorded. Requires: a switch (isSwitch()).
    std::int32_t switchedOutTid(const EventView& event) const;

private:
    struct Switch {
        FieldRef tid, name, before;
    };
    /// The thread of a CPU. Most are never asked for, so the name is decoded on request from the event's bytes; if the trace does not keep
    /// its bytes, the name is copied. If the file was truncated meanwhile, the name is empty.
    struct OnCpu {
        std::int32_t tid = -1;
        EventRecord record; ///< Record of the switch event.
        PacketBytes packet; ///< Bytes of the switch event's packet; null if the name was copied.
        std::uint32_t stream = 0;
        std::string name;
    };
    static std::optional<Switch> switchOf(const EventType& type, Needs needs);
    OnCpu& onCpu(std::int32_t cpu);
    RunningThread threadOf(const OnCpu& running) const;

    static constexpr std::uint32_t FewUnseen = 3; ///< A few cases may be due to events lost nearby.
    std::uint32_t m_unseenFromIdle = 0;
    const Trace& m_trace;
    const bool m_keepsBytes;
    ValuesByEventType<Switch> m_switches;
    std::vector<OnCpu> m_threads; ///< Indexed by CPU, below UsualCpus.
    std::unordered_map<std::int32_t, OnCpu> m_others; ///< Keyed by CPU, for CPUs from UsualCpus on.
};

bool isSwitchOfThreads(const EventType& type);

/// Returns true if the trace has events of switches.
bool hasSwitches(const Trace& trace);

} // namespace helio
