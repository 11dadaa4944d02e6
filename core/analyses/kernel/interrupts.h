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
    Irq, ///< A device's, by IRQ number.
    Vector, ///< x86: between processors, or the local timer; by vector.
    Softirq, ///< By softirq vector.
};

/// The rows of interrupts, on each CPU and over all CPUs, and which of them are being handled.
///
/// Keeps what CPUs are interrupted by; Machine decides what states that gives the CPU and its thread, and stores them.
class Interrupts {
public:
    explicit Interrupts(StateSink& sink);

    void begin(HostTimestamp at) { m_begin = at; }

    /// Begins a handler. An entry of the same interrupt, or of another softirq as softirqs do not nest, shows that exits are missing: those
    /// handlers are over. Returns what loseExits() would of them.
    std::optional<HostTimestamp> enter(HostTimestamp at, Cpu& cpu, InterruptKind kind, std::int64_t number, std::string_view name);
    /// False where no entry was seen: nothing changed.
    bool leave(HostTimestamp at, Cpu& cpu, InterruptKind kind, std::int64_t number);
    void raise(HostTimestamp at, Cpu& cpu, std::int64_t vector);

    /// What was thought to be handled on that CPU is over.
    void drop(HostTimestamp at, Cpu& cpu);
    /// Ends all handlers of the CPU, whose exits were not recorded. Returns the time of the first of their entries, since when it is
    /// unknown whether they were at work; nothing if there were none.
    std::optional<HostTimestamp> loseExits(HostTimestamp at, Cpu& cpu);
    std::uint64_t lostExits() const { return m_lostExits; }

    /// Whether softirqs are preempted, as real-time kernels do (kernel/softirq.c with CONFIG_PREEMPT_RT). Else it is found out.
    void setPreemptible(bool arePreemptible) { m_arePreemptible = arePreemptible; }
    /// The thread that the softirq of the CPU is part of leaves it. Where softirqs are preempted it goes on with resumeSoftirq(); else its
    /// exit is missing, unless it comes later after all: then they are known to be preempted.
    void suspendSoftirq(HostTimestamp at, Cpu& cpu, std::int32_t tid);
    void resumeSoftirq(HostTimestamp at, Cpu& cpu, std::int32_t tid);

    /// Nothing is known of that CPU's interrupts from now on.
    void lose(HostTimestamp at, Cpu& cpu);
    /// From now on they are known again; none is being handled.
    void recover(HostTimestamp at, Cpu& cpu);

private:
    struct Row {
        TrackId track = NoTrack;
        std::uint32_t total = 0; ///< The row over all CPUs.
        std::int64_t key = 0;
        std::string name;
        StringId nameId{};
        bool isActive = false;
        bool isRaised = false;
        bool isLost = false; ///< Shown as unknown.
        std::uint32_t active = 0; ///< Of a row over all CPUs: on how many.
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
    std::optional<bool> m_arePreemptible; ///< Nothing: not known.
    std::map<std::pair<std::int32_t, std::int32_t>, Handler> m_suspended; ///< By CPU and thread.
    std::uint64_t m_lostExits = 0; ///< Handlers whose exit was not recorded, although no loss was.
    /// Rows are marked unknown at losses this many times in all: a trace made of rows and losses would take for ever.
    std::uint64_t m_marksLeft = 50'000'000;
};

} // namespace helio::kernel
