#pragma once

#include "core/trace/fields/field_ref.h"
#include "core/trace/fields/values_by_event_type.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace helio {

/// The thread that runs on a CPU. If it is unknown, `tid` is -1 and `name` is empty.
struct RunningThread {
    std::int32_t tid = -1;
    std::string name;
};

/// Tracks the thread on each CPU from sched_switch events while a trace is read. For analyses whose own events do not identify their
/// thread; does nothing if created with Needs::Nothing.
///
/// Threads: to be used by one thread.
/// Ownership: the trace must outlive the object.
/// Cost: a few ns per switch, and 10 ns more if the bytes of the trace's packets do not stay valid after reading.
class RunningThreads {
public:
    enum class Needs : std::uint8_t { Nothing, Numbers, Names };
    RunningThreads(const Trace& trace, Needs needs);

    bool isSwitch(EventTypeId type) const { return m_switches[type].tid.isValid(); }
    /// Processes a switch event. Requires: isSwitch() of the event's type.
    void take(const EventView& event);
    /// Marks the thread of a CPU as unknown, for example because events were lost; without an argument, of all CPUs.
    void forget(std::int32_t cpu) { onCpu(cpu) = {}; }
    void forget();
    RunningThread on(std::int32_t cpu) const;

    /// Returns true if threads repeatedly appeared on idle CPUs without a switch event. This happens in recordings without events of idle
    /// threads: neither their switches nor interrupts during idle time are recorded.
    bool missesSwitchesFromIdle() const { return m_unseenFromIdle >= MinUnseenFromIdle; }

    /// Returns the tid of the thread that leaves the CPU at a switch; -1 if not recorded. Requires: isSwitch().
    std::int32_t switchedOutTid(const EventView& event) const;

private:
    struct Switch {
        FieldRef tid, name, before;
    };
    /// The thread on a CPU. Most names are never requested, so a name is decoded from the event's bytes on request; it is copied only if
    /// the bytes do not stay valid after reading. If the file was truncated after the event was read, the name is empty.
    struct OnCpu {
        std::int32_t tid = -1;
        EventRecord record; ///< Record of the last switch event on the CPU.
        PacketBytes packet; ///< Packet of the switch event; null if the name was copied.
        std::uint32_t stream = 0;
        std::string name;
    };
    static std::optional<Switch> switchOf(const EventType& type, Needs needs);
    OnCpu& onCpu(std::int32_t cpu);
    RunningThread threadOf(const OnCpu& running) const;

    /// Minimum of m_unseenFromIdle for missesSwitchesFromIdle(); fewer unseen switches may be due to lost events.
    static constexpr std::uint32_t MinUnseenFromIdle = 3;
    std::uint32_t m_unseenFromIdle = 0;
    const Trace& m_trace;
    const bool m_keepsBytes;
    ValuesByEventType<Switch> m_switches;
    std::vector<OnCpu> m_threads; ///< Threads on the CPUs with numbers below UsualCpus, indexed by CPU number.
    std::unordered_map<std::int32_t, OnCpu> m_others; ///< Threads on the CPUs with numbers from UsualCpus on, keyed by CPU number.
};

bool isSwitchOfThreads(const EventType& type);

/// Returns true if the trace has sched_switch events.
bool hasSwitches(const Trace& trace);

} // namespace helio
