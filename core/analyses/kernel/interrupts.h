#pragma once

#include "core/analyses/kernel/flat_map.h"
#include "core/analyses/kernel/model.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace helio::kernel {

enum class InterruptKind : std::uint8_t {
    Irq, ///< Interrupt of a device; the number is the IRQ number.
    Vector, ///< Interprocessor interrupt, or interrupt of the local timer (x86); the number is the vector.
    Softirq, ///< Soft interrupt; the number is the softirq vector.
};

/// The rows of interrupts, for each CPU and for all CPUs together, and the interrupts that are being handled.
///
/// Tracks the handlers on the CPUs. KernelStateMachine derives the states of CPUs and threads from them and stores these states.
class Interrupts {
public:
    explicit Interrupts(StateSink& sink);

    void begin(HostTimestamp at) { m_begin = at; }

    /// Begins a handler. First ends handlers whose exits must be missing: an interrupt cannot begin while the same interrupt is being
    /// handled, and softirqs do not nest. Returns the time of the earliest entry among the handlers that were ended in this way; nullopt if
    /// there were none.
    std::optional<HostTimestamp> enter(HostTimestamp at, Cpu& cpu, InterruptKind kind, std::int64_t number, std::string_view name);
    /// Ends a handler. Returns false and changes nothing if the handler's entry was not seen.
    bool leave(HostTimestamp at, Cpu& cpu, InterruptKind kind, std::int64_t number);
    void raise(HostTimestamp at, Cpu& cpu, std::int64_t vector);

    /// Ends all interrupt handlers that run on the CPU.
    void drop(HostTimestamp at, Cpu& cpu);
    /// Ends all handlers of the CPU because their exits were not recorded. Returns the earliest entry time of these handlers; nullopt if
    /// there were none. From this time on, it is unknown whether a handler was running.
    std::optional<HostTimestamp> loseExits(HostTimestamp at, Cpu& cpu);
    std::uint64_t lostExits() const { return m_lostExits; }

    /// Sets whether softirqs can be preempted, as in real-time kernels (kernel/softirq.c with CONFIG_PREEMPT_RT). By default, this is
    /// inferred from the events.
    void setPreemptible(bool arePreemptible) { m_arePreemptible = arePreemptible; }
    /// Called when the thread that runs the CPU's softirq leaves the CPU. If softirqs can be preempted, the softirq is suspended until
    /// resumeSoftirq(). If softirqs cannot be preempted, the softirq's exit event is missing. If it is unknown whether softirqs can be
    /// preempted, an exit event that comes later shows that they can.
    void suspendSoftirq(HostTimestamp at, Cpu& cpu, std::int32_t tid);
    void resumeSoftirq(HostTimestamp at, Cpu& cpu, std::int32_t tid);

    /// Marks the interrupts of the CPU as unknown from time `at` on.
    void lose(HostTimestamp at, Cpu& cpu);
    /// Ends the unknown time of the CPU's interrupts at time `at`. After the call, no handler runs on the CPU.
    void recover(HostTimestamp at, Cpu& cpu);

private:
    struct Row {
        TrackId track = NoTrack;
        std::uint32_t total = 0; ///< For a row of one CPU: index in m_rows of the row that shows this interrupt for all CPUs together.
        std::int64_t key = 0;
        std::string name;
        StringId nameId{};
        bool isActive = false;
        bool isRaised = false;
        bool isLost = false; ///< True while the row is shown as unknown.
        std::uint32_t active = 0; ///< For a row of all CPUs: number of CPUs on which the interrupt is active.
        std::uint32_t raised = 0;
    };

    std::uint32_t rowOf(const Cpu* cpu, InterruptKind kind, std::int64_t number, std::string_view name);
    std::uint32_t addRow(const Cpu* cpu, InterruptKind kind, std::int64_t number, std::string_view name);
    void setName(Row& row, std::string_view name);
    void setActive(HostTimestamp at, std::uint32_t row, bool isActive);
    void loseExit(HostTimestamp at, const Handler& handler);
    bool wasPreempted(const Cpu& cpu, std::uint32_t row);
    std::optional<HostTimestamp> loseIrqExits(HostTimestamp at, Cpu& cpu, std::uint32_t depth);
    std::optional<HostTimestamp> loseSoftirqExit(HostTimestamp at, Cpu& cpu);
    void setRaised(HostTimestamp at, std::uint32_t row, bool isRaised);
    void storeState(HostTimestamp at, const Row& row);

    StateSink& m_sink;
    StateSetId m_irqStates{};
    StateSetId m_softirqStates{};
    HostTimestamp m_begin;
    std::vector<Row> m_rows;
    FlatMap m_byKey;
    std::vector<std::vector<std::uint32_t>> m_rowsOfCpu;
    std::optional<bool> m_arePreemptible; ///< True if softirqs can be preempted; nullopt if unknown.
    std::map<std::pair<std::int32_t, std::int32_t>, Handler> m_suspended; ///< Preempted softirqs, keyed by CPU and thread.
    std::uint64_t m_lostExits = 0; ///< Number of handlers whose exit is missing although no events were lost.
    /// Number of times that a gap of lost events may still mark a row as unknown. At 0, gaps no longer mark rows, so that traces with very
    /// many rows and gaps do not take too long.
    std::uint64_t m_marksLeft = 50'000'000;
};

} // namespace helio::kernel
