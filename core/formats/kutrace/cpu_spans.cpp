#include "core/formats/kutrace/cpu_spans.h"

#include <algorithm>

namespace helio::kutrace {
namespace {

/// Maximum time in ns between two consecutive spans of a CPU that does not count as a gap. KUtrace cuts 10 ns from a span for each point
/// event in it, and leaves out spans of the idle thread of up to 10 ns.
constexpr std::int64_t Seam = 20;

} // namespace

bool CpuSpans::take(const Row& row, Level level)
{
    Cpu& cpu = m_cpus[row.cpu];
    if (row.begin < cpu.end)
        return false;
    if (cpu.tid && row.begin > cpu.end + Seam)
        loseTime(row.begin, row.cpu, cpu);
    const std::int32_t tid = level == Level::Idle ? 0 : row.pid;
    if (cpu.tid && *cpu.tid != tid) {
        leaveInterrupts(row.begin, cpu, Level::Scheduler);
        m_events.addSwitch(row.begin, row.cpu, *cpu.tid, tid);
        cpu.level = Level::None;
    }
    cpu.tid = tid;
    leaveInterrupts(row.begin, cpu, level);
    // nullptr for the idle thread, which has neither system calls nor traps.
    Thread* const thread = tid > 0 ? &m_threads[tid] : nullptr;
    if (thread)
        leaveCalls(row.begin, cpu, *thread, level);
    switch (level) {
    case Level::Syscall:
        if (thread)
            enter(row, thread->syscall, level);
        break;
    case Level::Trap:
        if (thread)
            enter(row, thread->trap, level);
        break;
    case Level::Softirq: enter(row, cpu.softirq, level); break;
    case Level::Irq: enter(row, cpu.irq, level); break;
    default: break;
    }
    cpu.level = level;
    cpu.end = row.end();
    m_end = std::max(m_end, row.end());
    return true;
}

/// Ends the interrupt and the softirq of a CPU that cannot continue, because a span of `level` begins at `time`.
void CpuSpans::leaveInterrupts(std::int64_t time, Cpu& cpu, Level level)
{
    if (level != Level::Irq)
        leave(time, cpu, cpu.irq, Level::Irq);
    if (level != Level::Irq && level != Level::Softirq)
        leave(time, cpu, cpu.softirq, Level::Softirq);
}

/// Ends the trap and the system call of a thread that cannot continue, because a span of `level` begins at `time`.
void CpuSpans::leaveCalls(std::int64_t time, Cpu& cpu, Thread& thread, Level level)
{
    if (level < Level::Trap)
        leave(time, cpu, thread.trap, Level::Trap);
    if (level < Level::Syscall)
        leave(time, cpu, thread.syscall, Level::Syscall);
}

void CpuSpans::leave(std::int64_t time, const Cpu& cpu, std::optional<Row>& open, Level level)
{
    if (!open)
        return;
    // KUtrace stores the result of a system call in the call's last span. So `open` contains the result only if it is the CPU's last span.
    m_events.addExit(time, *open, level, cpu.level == level && open->end() == cpu.end);
    open.reset();
}

/// Begins the kernel routine of `row`, a new span, unless the span continues the routine in `open`. Stores `row` in `open`.
void CpuSpans::enter(const Row& row, std::optional<Row>& open, Level level)
{
    const bool continues = open && open->event == row.event && (level != Level::Softirq || open->arg == row.arg);
    if (!continues) {
        leave(row.begin, m_cpus[row.cpu], open, level);
        m_events.addEntry(row, level);
    }
    open = row;
}

/// Adds a gap from the end of the CPU's last span to `time`, and forgets the CPU's thread and the open routines.
void CpuSpans::loseTime(std::int64_t time, std::int32_t number, Cpu& cpu)
{
    m_events.addGap(cpu.end, time, number);
    m_threads.erase(*cpu.tid);
    cpu = {{}, cpu.end, Level::None, {}, {}};
}

void CpuSpans::finish(std::int64_t end)
{
    for (auto& [number, cpu] : m_cpus)
        if (cpu.tid && end > cpu.end + Seam)
            loseTime(end, number, cpu);
}

} // namespace helio::kutrace
