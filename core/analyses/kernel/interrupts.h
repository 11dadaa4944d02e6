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
    Vector, ///< Interrupt between processors, or of the local timer (x86); the number is the vector.
    Softirq, ///< Soft interrupt; the number is the softirq vector.
};

/// The rows of interrupts, on each CPU and over all CPUs, and the interrupts that are being handled.
///
/// This class tracks the handlers on the CPUs; KernelStateMachine derives the states of the CPU and its thread from them and stores them.
class Interrupts {
public:
    explicit Interrupts(StateSink& sink);

    void begin(HostTimestamp at) { m_begin = at; }

    /// Begins a handler. An entry of an interrupt that is already handled, or of another softirq (softirqs do not nest), shows that exits
    /// are missing: those handlers end. Returns what loseExits() returns for them.
    std::optional<HostTimestamp> enter(HostTimestamp at, Cpu& cpu, InterruptKind kind, std::int64_t number, std::string_view name);
    /// Ends a handler. Returns false if its entry was not seen; then nothing changes.
    bool leave(HostTimestamp at, Cpu& cpu, InterruptKind kind, std::int64_t number);
    void raise(HostTimestamp at, Cpu& cpu, std::int64_t vector);

    /// Ends all handlers of the CPU.
    void drop(HostTimestamp at, Cpu& cpu);
    /// Ends all handlers of the CPU, because their exits were not recorded. Returns the time of the first of their entries, since when it
    /// is unknown whether they ran; nullopt if there are no handlers.
    std::optional<HostTimestamp> loseExits(HostTimestamp at, Cpu& cpu);
    std::uint64_t lostExits() const { return m_lostExits; }

    /// Sets whether softirqs can be preempted, as in real-time kernels (kernel/softirq.c with CONFIG_PREEMPT_RT). If it is not set, it is
    /// inferred from the events.
    void setPreemptible(bool arePreemptible) { m_arePreemptible = arePreemptible; }
    /// Called when the thread that runs the CPU's softirq leaves the CPU. If softirqs can be preempted, the softirq continues with
    /// resumeSoftirq(). Otherwise its exit is missing; if the exit comes later after all, softirqs can be preempted.
    void suspendSoftirq(HostTimestamp at, Cpu& cpu, std::int32_t tid);
    void resumeSoftirq(HostTimestamp at, Cpu& cpu, std::int32_t tid);

    /// Makes the CPU's interrupts unknown from that time on.
    void lose(HostTimestamp at, Cpu& cpu);
    /// Makes the CPU's interrupts known again from that time on, with no handler running.
    void recover(HostTimestamp at, Cpu& cpu);

private:
    struct Row {
        TrackId track = NoTrack;
        std::uint32_t total = 0; ///< Index of the row over all CPUs.
        std::int64_t key = 0;
        std::string name;
        StringId nameId{};
        bool isActive = false;
        bool isRaised = false;
        bool isLost = false; ///< True while the row is shown as unknown.
        std::uint32_t active = 0; ///< For a row over all CPUs: count of CPUs.
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
    std::optional<bool> m_arePreemptible; ///< nullopt if unknown.
    std::map<std::pair<std::int32_t, std::int32_t>, Handler> m_suspended; ///< Preempted softirqs, by CPU and thread.
    std::uint64_t m_lostExits = 0; ///< Count of handlers whose exit is missing without a recorded loss.
    /// Remaining count of rows that losses may mark as unknown. The limit keeps a trace made of rows and losses from taking forever.
    std::uint64_t m_marksLeft = 50'000'000;
};

} // namespace helio::kernel
