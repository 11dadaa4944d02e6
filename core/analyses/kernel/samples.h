#pragma once

#include "core/analyses/kernel/off_cpu.h"
#include "core/store/store.h"
#include "core/trace/process/address_spaces.h"
#include "core/trace/trace.h"

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace helio::kernel {

class Machine;

/// Puts a recording's samples into the store: with their stacks as addresses in modules, and as ticks.
///
/// Ticks are intervals of 1 ns on attribute tracks of thread and CPU rows, one track for each of "samples-user", "samples-kernel" and
/// "samples-other": the spans' counts say how many there are in a stretch of time. Where some samples measure CPU time, those of other
/// kinds are "samples-events". Tracepoints have none: they are events. Nor has a CPU that was idle.
/// A kind of sample for each event, and what OffCpu makes of sched_switch.
class Samples {
public:
    /// Requires: trace.samples() is there.
    Samples(const Trace& trace, StateSink& sink, Machine& machine);

    void take(const ProcessRecord& record) { m_spaces.take(record); }
    /// Any event, before its states are stored; `number` is its own in merged order.
    void take(const EventView& event, std::uint64_t number);
    void onLoss() { m_offCpu.forget(); }
    void finish(HostTimestamp at) { m_offCpu.finish(at); }

private:
    struct Kind {
        SampleKindId id{};
        bool isKnown = false; ///< The type is a sample.
        bool hasUserState = false;
        bool hasTicks = false;
        bool measuresTime = true; ///< Or no kind does.
        std::optional<SwitchFields> switches;
        std::optional<WakeFields> wakes;
    };
    /// Its last tick: one that comes at the same time stands a ns later, so that it is counted.
    struct Ticks {
        TrackId track = NoTrack;
        HostTimestamp end;
    };

    void addKinds(const Trace& trace);
    StackId stackOf(const SampleView& sample);
    void appendCalls(const SampleView& sample, std::size_t begin);
    StackId recordedStack(std::uint32_t index);
    StackFrame frameOf(std::int32_t pid, CodeMode mode, std::uint64_t address);
    void addTick(HostTimestamp at, TrackId row, std::size_t kind);

    const SampleReader& m_reader;
    StateSink& m_sink;
    Machine& m_machine;
    StateSetId m_tickStates{};
    AddressSpaces m_spaces;
    OffCpu m_offCpu;
    std::vector<Kind> m_kinds; ///< By EventTypeId.
    std::unordered_map<std::uint32_t, std::array<Ticks, 4>> m_ticks; ///< By row: user, kernel, other, events.
    struct Link {
        std::uint64_t address;
        CodeMode mode;
        bool isReturnAddress;
    };
    std::vector<Link> m_chain; ///< For stackOf(); kept for its room.
    std::vector<StackId> m_recorded; ///< By index of a recorded stack; NoStack: not met yet.
    std::vector<std::uint32_t> m_path; ///< For recordedStack(); kept for its room.
};

} // namespace helio::kernel
