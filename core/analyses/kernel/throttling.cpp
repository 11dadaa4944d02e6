// Finds throttled threads: they are runnable, but idle CPUs do not run them, probably because of a CPU quota (cgroup v2 cpu.max). No event
// records this.

#include "core/analyses/kernel/kernel_state_machine.h"

#include <algorithm>

namespace helio::kernel {
namespace {

constexpr Duration LeastThrottled = std::chrono::milliseconds(10);

/// Time after a wake-up or migration event in which the thread may not be in the CPU's queue yet (kernel/sched/core.c: sched_waking and
/// sched_migrate_task come before the thread is queued).
constexpr Duration LongestEnqueue = std::chrono::milliseconds(1);

} // namespace

void KernelStateMachine::queueSwitchedOut(HostTimestamp at, Thread& thread, const Cpu& cpu)
{
    queue(at, thread, cpu);
    thread.queue.places[0].enqueued = at;
}

void KernelStateMachine::requeue(HostTimestamp at, Thread& thread, const Cpu& cpu)
{
    thread.cpu = cpu.number;
    thread.firstGap = cpu.gaps.count() - (cpu.isInGap(at) ? 1 : 0);
    QueuedWait& wait = thread.queue;
    const HostTimestamp enqueued = at + LongestEnqueue;
    if (wait.count == 0)
        wait.since = at;
    else if (wait.places[wait.count - 1].cpu == cpu.number) {
        wait.places[wait.count - 1].enqueued = enqueued;
        return;
    }
    if (wait.count == QueuedWait::MostPlaces)
        // Use std::rotate(), because std::ranges::rotate() needs Clang 16.
        std::rotate(wait.places.begin(), wait.places.begin() + 1, wait.places.end());
    else
        ++wait.count;
    wait.places[wait.count - 1] = {cpu.number, at, enqueued};
}

/// Returns the time in the range during which the thread was queued on an idle CPU.
Duration KernelStateMachine::idleTime(const Thread& thread, HostRange range) const
{
    Duration sum{};
    for (std::uint8_t i = thread.queue.count; i-- > 0; range.end = std::min(range.end, thread.queue.places[i].since)) {
        const QueuedWait::Place& place = thread.queue.places[i];
        const HostRange part{std::max(range.begin, place.since), range.end};
        if (part.begin < part.end)
            sum += m_cpus[static_cast<std::size_t>(place.cpu)]->idleTimes.in(part);
    }
    return sum;
}

/// Returns true if a CPU became idle while the waiting thread was queued on it: the scheduler did not allow the thread to run. Otherwise,
/// the thread's CPU may just have been slow to wake up, for example if it is a vCPU.
bool KernelStateMachine::isPassedOver(const Thread& thread, HostTimestamp until) const
{
    for (std::uint8_t i = thread.queue.count; i-- > 0; until = thread.queue.places[i].since) {
        const QueuedWait::Place& place = thread.queue.places[i];
        if (m_cpus[static_cast<std::size_t>(place.cpu)]->idleTimes.beganIn({place.enqueued, until}))
            return true;
    }
    return false;
}

void KernelStateMachine::markThrottled(HostTimestamp at, Process& process, const Thread* entering, const Cpu* on)
{
    if (at - process.lastSwitch < LeastThrottled || !m_part.isAll() || !m_hasSwitches)
        return;
    HostTimestamp from = std::max(process.lastSwitch, m_lostUntil);
    std::erase_if(process.members, [&](const Thread* it) { return !it->isAlive || it->process != &process; });
    for (const Thread* it : process.members) {
        if (it->isOnCpu || it->isKernelThread || it->state == ThreadState::Unknown)
            return;
        from = std::max({from, it->placed, it->knownSince});
    }
    const auto throttledRange = [&](const Thread& it) { return HostRange{std::max(from, it.queue.since), at}; };
    const auto isThrottled = [&](const Thread& it) {
        const HostRange range = throttledRange(it);
        const Duration length = range.end - range.begin;
        return isRunnable(it.state) && length >= LeastThrottled && idleTime(it, range) > length / 2
            && (&it != entering || on->idleTimes.in(range) > length / 2);
    };
    const bool isProven = std::ranges::any_of(process.members, [&](const Thread* it) { return isThrottled(*it) && isPassedOver(*it, at); });
    if (!isProven)
        return;
    for (Thread* it : process.members) {
        if (!isThrottled(*it))
            continue;
        m_threads.setState(throttledRange(*it).begin, *it, ThreadState::Throttled);
        if (entering && it != entering)
            m_threads.setState(at, *it, ThreadState::WaitCpu);
    }
}

} // namespace helio::kernel
