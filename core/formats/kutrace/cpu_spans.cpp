#include "core/formats/kutrace/cpu_spans.h"

#include <algorithm>

namespace helio::kutrace {
namespace {

/// Longest time in ns between two spans of a CPU that is no gap. KUtrace lets point events take 10 ns of the span that they divide, and
/// leaves out spans of the idle thread of up to 10 ns.
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
    // The idle thread has neither system calls nor page faults.
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

/// Ends the interrupts that cannot continue during a span of `level`.
void CpuSpans::leaveInterrupts(std::int64_t time, Cpu& cpu, Level level)
{
    if (level != Level::Irq)
        leave(time, cpu, cpu.irq, Level::Irq);
    if (level != Level::Irq && level != Level::Softirq)
        leave(time, cpu, cpu.softirq, Level::Softirq);
}

/// Ends the trap and the system call of a thread that cannot continue during a span of `level`.
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
    // KUtrace puts the result of a system call into the span that ends with the return.
    m_events.addExit(time, *open, level, cpu.level == level && open->end() == cpu.end);
    open.reset();
}

/// Begins the routine of `row`, unless the row continues it.
void CpuSpans::enter(const Row& row, std::optional<Row>& open, Level level)
{
    const bool continues = open && open->event == row.event && (level != Level::Softirq || open->arg == row.arg);
    if (!continues) {
        leave(row.begin, m_cpus[row.cpu], open, level);
        m_events.addEntry(row, level);
    }
    open = row;
}

/// Takes the time from the last span of a CPU to `time` as a gap.
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
