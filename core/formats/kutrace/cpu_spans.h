#pragma once

#include "core/formats/kutrace/kutrace_codes.h"
#include "core/formats/kutrace/kutrace_rows.h"

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>

namespace helio::kutrace {

/// Receives the events of the kernel that the spans of CPUs tell.
class SpanEvents {
public:
    virtual ~SpanEvents() = default;
    /// CPU `cpu` switches from one thread to another at `time`; the TID of the idle thread is 0.
    virtual void addSwitch(std::int64_t time, std::int32_t cpu, std::int32_t prev, std::int32_t next) = 0;
    /// The kernel routine `row` (a system call, trap, interrupt or softirq) begins at the time of the row.
    virtual void addEntry(const Row& row, Level level) = 0;
    /// The routine whose last span is `row` ends at `time`. `hasResult` is true if `row` says the result of the system call.
    virtual void addExit(std::int64_t time, const Row& row, Level level, bool hasResult) = 0;
    /// No span covers the time of a CPU from `begin` to `end`.
    virtual void addGap(std::int64_t begin, std::int64_t end, std::int32_t cpu) = 0;
};

/// Follows the spans of CPUs, in order of their begins, and finds entries and exits of kernel routines in them.
///
/// A timeline file has only the innermost routine of each moment: a system call that an interrupt divides is two spans with the
/// interrupt's span between them. A span of the same routine after an inner one, or after the thread was off CPU, continues the routine.
class CpuSpans {
public:
    explicit CpuSpans(SpanEvents& events)
        : m_events(events)
    {
    }

    /// Takes a span. Returns false if it overlaps the preceding span of its CPU; it is then ignored. Requires: `level` is that of the row
    /// and not None; no earlier call had a row with a later begin.
    bool take(const Row& row, Level level);
    /// Ends the spans at `end`: CPUs without spans up to then have a gap.
    void finish(std::int64_t end);
    std::int64_t end() const { return m_end; } ///< End of the latest span in ns.

private:
    struct Cpu {
        std::optional<std::int32_t> tid; ///< Thread of the last span; nullopt before the first span and in a gap.
        std::int64_t end = 0; ///< End of the last span in ns.
        Level level = Level::None; ///< Level of the last span.
        std::optional<Row> irq; ///< Last span of the interrupt that runs.
        std::optional<Row> softirq;
    };
    struct Thread {
        std::optional<Row> syscall; ///< Last span of the system call that the thread is in.
        std::optional<Row> trap;
    };

    void leaveInterrupts(std::int64_t time, Cpu& cpu, Level level);
    void leaveCalls(std::int64_t time, Cpu& cpu, Thread& thread, Level level);
    void leave(std::int64_t time, const Cpu& cpu, std::optional<Row>& open, Level level);
    void enter(const Row& row, std::optional<Row>& open, Level level);
    void loseTime(std::int64_t time, std::int32_t number, Cpu& cpu);

    SpanEvents& m_events;
    std::map<std::int32_t, Cpu> m_cpus;
    std::unordered_map<std::int32_t, Thread> m_threads;
    std::int64_t m_end = 0;
};

} // namespace helio::kutrace
