#pragma once

#include "core/formats/kutrace/kutrace_codes.h"
#include "core/formats/kutrace/kutrace_rows.h"

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>

namespace helio::kutrace {

/// Receives the kernel events that CpuSpans derives from the spans of CPUs: switches of threads, entries and exits of kernel routines, and
/// gaps. All times are in ns.
class SpanEvents {
public:
    virtual ~SpanEvents() = default;
    /// Called when CPU `cpu` switches from the thread `prev` to the thread `next` (TIDs; 0 for the idle thread).
    virtual void addSwitch(std::int64_t time, std::int32_t cpu, std::int32_t prev, std::int32_t next) = 0;
    /// Called when a kernel routine (a system call, trap, interrupt or softirq) starts. `row`: the first span of the routine, which is
    /// entered when this span starts. `level`: the kind of routine.
    virtual void addEntry(const Row& row, Level level) = 0;
    /// Called when a kernel routine ends at `time`. `row`: last span of the routine. `hasResult`: true if Row::result is the result of the
    /// system call.
    virtual void addExit(std::int64_t time, const Row& row, Level level, bool hasResult) = 0;
    /// Called for a gap: no span covers the time of CPU `cpu` from `begin` to `end`.
    virtual void addGap(std::int64_t begin, std::int64_t end, std::int32_t cpu) = 0;
};

/// Finds thread switches, gaps, and the entries and exits of kernel routines in the spans of CPUs. The spans are passed in the order of
/// their begin times.
///
/// A KUtrace file names only the innermost routine at each time: a system call that an interrupt divides consists of two spans, with the
/// span of the interrupt between them. A span of the same routine after the span of an inner routine, or after the thread was off CPU,
/// continues the routine.
class CpuSpans {
public:
    explicit CpuSpans(SpanEvents& events)
        : m_events(events)
    {
    }

    /// Processes a span. Returns false and ignores the span if it begins before the end of the preceding span of its CPU. Requires: `level`
    /// is the level of `row` and not Level::None; the rows are passed in the order of Row::begin.
    bool take(const Row& row, Level level);
    /// Finishes at time `end` in ns: a CPU whose last span ends earlier gets a gap from there to `end`.
    void finish(std::int64_t end);
    std::int64_t end() const { return m_end; } ///< Returns the latest end of all spans so far in ns.

private:
    struct Cpu {
        /// TID of the thread in the CPU's last span, 0 for the idle thread; nullopt before the first span and in a gap.
        std::optional<std::int32_t> tid;
        std::int64_t end = 0; ///< End of the CPU's last span in ns.
        Level level = Level::None; ///< Level of the CPU's last span; Level::None in a gap and after a switch.
        std::optional<Row> irq; ///< Last span of the interrupt that the CPU handles; nullopt if none.
        std::optional<Row> softirq;
    };
    struct Thread {
        std::optional<Row> syscall; ///< Last span of the system call that the thread is in; nullopt if none.
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
