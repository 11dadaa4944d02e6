// What lost events make unknown: the CPU they were lost on and its thread at once, threads that waited for it at their next event, and
// any other thread when its next event shows that a step is missing.

#include "core/analyses/kernel/machine.h"

#include <algorithm>

namespace helio::kernel {

namespace {

/// Several channels may lose events on one CPU at a time: one gap then, as long as the longest. Whether it is a new one.
bool addGap(std::vector<HostRange>& gaps, HostRange range)
{
    if (!gaps.empty() && range.begin < gaps.back().end) {
        gaps.back().end = std::max(gaps.back().end, range.end);
        return false;
    }
    gaps.push_back(range);
    return true;
}

} // namespace

template <typename Action> void Machine::forEachCpuOf(const Loss& loss, Action action)
{
    if (loss.cpu < 0) {
        for (Cpu& any : m_cpuStore)
            action(any);
    } else if (Cpu* one = cpu(loss.cpu)) {
        action(*one);
    }
}

void Machine::onLossBegin(const Loss& loss)
{
    if (loss.cpu < 0)
        addGap(m_lossesOfAll, loss.range);
    forEachCpuOf(loss, [&](Cpu& cpu) { openGap(loss.range, cpu); });
}

void Machine::onLoss(const Loss& loss)
{
    forEachCpuOf(loss, [&](Cpu& cpu) { closeGap(loss.range, cpu); });
}

void Machine::openGap(HostRange range, Cpu& cpu)
{
    m_hasLosses = true;
    if (!addGap(cpu.losses, range))
        return;
    m_interrupts.lose(range.begin, cpu);
    forget(range.begin, cpu);
}

void Machine::closeGap(HostRange range, Cpu& cpu)
{
    // Who did not tell the begin tells all at once.
    if (cpu.losses.empty() || cpu.losses.back().end < range.end)
        openGap(range, cpu);
    if (cpu.isInGap(range.end))
        return;
    m_interrupts.recover(range.end, cpu);
    forget(range.end, cpu);
}

void Machine::forget(HostTimestamp at, Cpu& cpu)
{
    Thread* thread = cpu.current;
    if (thread && thread->tid != 0) {
        m_threads.tell(std::max(at, thread->since), *thread, ThreadState::Unknown, {});
        thread->mode = Mode::Unknown;
        thread->isInPageFault = false;
        thread->cpu = -1;
    }
    clearCurrent(cpu);
    cpu.leaver = NoTrack;
    m_sink.set(at, cpu.threadTrack, toState(CpuThreadState::Unknown), static_cast<std::uint32_t>(NoTrack));
    tellCpu(at, cpu, CpuState::Unknown, {});
}

void Machine::queue(HostTimestamp at, Thread& thread, const Cpu& cpu)
{
    thread.cpu = cpu.number;
    thread.lossesOfCpu = static_cast<std::uint32_t>(cpu.losses.size()) - (cpu.isInGap(at) ? 1 : 0);
}

void Machine::settle(Thread& thread)
{
    if (!m_hasLosses || !thread.isAlive || thread.isOnCpu || thread.cpu < 0)
        return;
    const Cpu& waitedFor = *m_cpus[static_cast<std::size_t>(thread.cpu)];
    if (waitedFor.losses.size() <= thread.lossesOfCpu)
        return;
    const HostTimestamp from = std::max(waitedFor.losses[thread.lossesOfCpu].begin, thread.since);
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
    if (!cpu.current)
        return;
    const bool isIdle = cpu.current->tid == 0;
    const HostTimestamp from = isIdle ? cpu.lastEvent : std::max(cpu.lastEvent, cpu.current->since);
    m_interrupts.lose(from, cpu);
    m_interrupts.recover(from, cpu);
    forget(from, cpu);
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
