// What lost events make unknown: the CPU they were lost on and its thread at once, threads that waited for it at their next event, and
// any other thread when its next event shows that a step is missing.

#include "core/analyses/kernel/machine.h"

#include <algorithm>

namespace helio::kernel {

void Machine::onLoss(const Loss& loss)
{
    m_hasLosses = true;
    if (loss.cpu >= 0) {
        if (Cpu* lossy = cpu(loss.cpu))
            lose(loss.range, *lossy);
        return;
    }
    for (Cpu& any : m_cpuStore)
        lose(loss.range, any);
}

void Machine::lose(HostRange range, Cpu& cpu)
{
    cpu.losses.push_back(range);
    m_interrupts.lose(range, cpu);
    Thread* thread = cpu.current;
    if (thread && thread->tid != 0) {
        m_threads.tell(std::max(range.begin, thread->born), *thread, ThreadState::Unknown, {});
        thread->mode = Mode::Unknown;
        thread->isInPageFault = false;
        thread->cpu = -1;
    }
    clearCurrent(cpu);
    cpu.leaver = NoTrack;
    m_sink.set(range.begin, cpu.threadTrack, toState(CpuThreadState::Unknown), static_cast<std::uint32_t>(NoTrack));
    tellCpu(range.begin, cpu, CpuState::Unknown, {});
}

void Machine::settle(Thread& thread)
{
    if (!m_hasLosses || !thread.isAlive || thread.isOnCpu || thread.cpu < 0)
        return;
    const Cpu& queue = *m_cpus[static_cast<std::size_t>(thread.cpu)];
    if (queue.losses.size() <= thread.lossesOfCpu)
        return;
    const HostTimestamp from = std::max(queue.losses[thread.lossesOfCpu].begin, thread.since);
    m_threads.tell(from, thread, ThreadState::Unknown, {});
    thread.mode = Mode::Unknown;
    thread.cpu = -1;
}

Thread& Machine::touch(std::int32_t tid, HostTimestamp at)
{
    Thread& thread = m_threads.get(tid, at);
    settle(thread);
    return thread;
}

void Machine::misplaced(Cpu& cpu)
{
    Thread* thread = cpu.current;
    if (!thread)
        return;
    const HostTimestamp from = cpu.lastEvent;
    if (thread->tid != 0) {
        m_threads.tell(std::max(from, thread->since), *thread, ThreadState::Unknown, {});
        thread->mode = Mode::Unknown;
        thread->isInPageFault = false;
        thread->cpu = -1;
    }
    clearCurrent(cpu);
    cpu.leaver = NoTrack;
    m_interrupts.lose({from, from}, cpu);
    m_sink.set(from, cpu.threadTrack, toState(CpuThreadState::Unknown), static_cast<std::uint32_t>(NoTrack));
    tellCpu(from, cpu, CpuState::Unknown, {});
}

void Machine::missedStep(HostTimestamp at, Thread& thread)
{
    if (!m_hasLosses || !thread.isAlive || thread.state == ThreadState::Unknown)
        return;
    HostTimestamp from = at;
    for (const Cpu& cpu : m_cpuStore) {
        const auto after = [&](const HostRange& range) { return range.end <= thread.since; };
        const auto first = std::partition_point(cpu.losses.begin(), cpu.losses.end(), after);
        if (first != cpu.losses.end())
            from = std::min(from, std::max(first->begin, thread.since));
    }
    if (from == at)
        return;
    m_threads.tell(from, thread, ThreadState::Unknown, {});
    thread.mode = Mode::Unknown;
}

} // namespace helio::kernel
