// Effects of lost events on:
// - the CPU that lost events, and its thread: unknown at once;
// - threads that waited for the CPU: unknown when their next event comes;
// - other threads: unknown when an event shows that an earlier event of the thread is missing.

#include "core/analyses/kernel/kernel_state_machine.h"

#include <algorithm>

namespace helio::kernel {

namespace {

/// Limit for the work of missedStep(), which searches a CPU's gaps of lost events for the gap that contains a missing event: maximum
/// number of searches in the whole trace. After that, missedStep() marks the whole last state of the thread as unknown, not only the time
/// since the gap.
constexpr std::uint64_t MostSearches = 100'000'000;

} // namespace

template <typename Action> void KernelStateMachine::forEachCpuOf(const Loss& loss, Action action)
{
    if (loss.cpu < 0) {
        for (Cpu& any : m_cpuStore)
            action(any);
    } else if (Cpu* one = cpu(loss.cpu)) {
        action(*one);
    }
}

void KernelStateMachine::onLossBegin(const Loss& loss)
{
    forgetFrequencies(loss.range);
    if (loss.cpu < 0)
        m_gapsOfAll.add(loss.range);
    forEachCpuOf(loss, [&](Cpu& cpu) { openGap(loss.range, cpu); });
}

void KernelStateMachine::onLoss(const Loss& loss)
{
    forgetFrequencies(loss.range);
    forEachCpuOf(loss, [&](Cpu& cpu) { closeGap(loss.range, cpu); });
}

/// Ends the frequency intervals of all CPUs. A CPU may report the frequency of another CPU, so the lost events may concern any CPU.
void KernelStateMachine::forgetFrequencies(HostRange range)
{
    m_lostUntil = std::max(m_lostUntil, range.end);
    for (const Cpu& cpu : m_cpuStore)
        if (cpu.frequencyTrack != NoTrack) {
            m_sink.rollBack(range.begin, cpu.frequencyTrack);
            m_sink.end(range.begin, cpu.frequencyTrack);
        }
}

void KernelStateMachine::openGap(HostRange range, Cpu& cpu)
{
    if (!m_hasLosses)
        useCarefulSteps();
    if (!cpu.gaps.add(range))
        return;
    m_interrupts.lose(range.begin, cpu);
    forget(range.begin, cpu);
}

/// Switches from the fast path to handlers for all events: after a loss, an event may contradict the known states, and only the handlers
/// check this.
void KernelStateMachine::useCarefulSteps()
{
    m_hasLosses = true;
    m_steps = m_carefulSteps;
}

void KernelStateMachine::closeGap(HostRange range, Cpu& cpu)
{
    // Open the gap only now if the reader did not report the loss at its beginning: some readers report the whole gap at its end.
    if (cpu.gaps.end() < range.end)
        openGap(range, cpu);
    if (cpu.isInGap(range.end))
        return;
    m_interrupts.recover(range.end, cpu);
    forget(range.end, cpu);
    awaitThread(range.end, cpu);
}

void KernelStateMachine::forget(HostTimestamp at, Cpu& cpu)
{
    if (cpu.isUnseen())
        leaveUnattributed(cpu);
    Thread* thread = cpu.current;
    cpu.idleTimes.end(at);
    cpu.leaver = NoTrack;
    cpu.leftTid = UnseenTid;
    if (!thread && cpu.state == CpuState::Unknown)
        return;
    if (thread && thread->tid != 0) {
        m_threads.setState(std::max(at, thread->since), *thread, ThreadState::Unknown, {});
        m_threads.finishWakeUps(*thread, cpu.number);
        // The thread ran on this CPU until `at`, so it cannot appear on another CPU before `at`.
        thread->placed = std::max(at, thread->placed);
        thread->mode = Mode::Unknown;
        thread->isInPageFault = false;
        thread->cpu = -1;
    }
    if (thread)
        thread->isOnCpu = false;
    cpu.current = nullptr;
    m_sink.set(at, cpu.threadTrack, toState(CpuThreadState::Unknown), static_cast<std::uint32_t>(NoTrack));
    setCpuState(at, cpu, CpuState::Unknown, {});
}

void KernelStateMachine::settle(Thread& thread)
{
    if (!m_hasLosses || !thread.isAlive || thread.isOnCpu || thread.cpu < 0)
        return;
    const Cpu& waitedFor = *m_cpus[static_cast<std::size_t>(thread.cpu)];
    if (waitedFor.gaps.count() <= thread.firstGap)
        return;
    const HostTimestamp from = std::max(waitedFor.gaps.beginOf(thread.firstGap), thread.since);
    m_threads.setState(from, thread, ThreadState::Unknown, {});
    m_threads.finishWakeUps(thread, NoCpu);
    thread.mode = Mode::Unknown;
    thread.cpu = -1;
}

void KernelStateMachine::loseExits(HostTimestamp at, Cpu& cpu)
{
    if (const auto lost = m_interrupts.loseExits(at, cpu))
        rollBack(*lost, cpu);
}

void KernelStateMachine::rollBack(HostTimestamp from, Cpu& cpu)
{
    if (cpu.isUnseen())
        leaveUnattributed(cpu);
    m_sink.rollBack(from, cpu.track);
    m_sink.set(from, cpu.track, toState(CpuState::Unknown));
    cpu.state = CpuState::Unknown;
    cpu.detail = {};
    cpu.since = from;
    if (cpu.current && cpu.current->tid > 0)
        m_threads.rollBack(from, *cpu.current);
}

void KernelStateMachine::wokenAgain(HostTimestamp at, Thread& thread)
{
    if (thread.state != ThreadState::WaitCpu || thread.waking == Wakings::None)
        return;
    missedStep(at, thread);
    if (thread.state != ThreadState::WaitCpu)
        return;
    m_contradictions += m_hasLosses ? 0 : 1;
    // Roll back to the beginning of the wait, not only of the last state: a part of the wait may already be stored as Throttled.
    m_threads.rollBack(std::min(thread.queue.since, thread.since), thread);
    m_threads.finishWakeUps(thread, NoCpu);
    thread.mode = Mode::Unknown;
}

std::vector<Diagnostic> KernelStateMachine::diagnostics()
{
    std::vector<Diagnostic> all;
    const auto add = [&](std::uint64_t count, const char* kind, const char* text) {
        if (count > 0)
            all.push_back({Diagnostic::Severity::Warning, kind, {}, 0, count, text});
    };
    // If events were lost, the message about the loss suffices: do not report missing exits, too.
    const std::uint64_t exits = m_hasLosses ? 0 : m_interrupts.lostExits();
    add(exits, "interrupt-without-exit", "an interrupt has no exit event, or a second entry event: its handler's duration is unknown");
    add(m_contradictions, "contradicting-events",
        "a context switch or wake-up contradicts the events before it: events are missing or recorded twice, "
        "and states there are unknown");
    return all;
}

void KernelStateMachine::misplaced(HostTimestamp at, Cpu& cpu)
{
    if (!cpu.current)
        return;
    // Some kernels record no events of the idle thread, so a missing switch from the idle thread is not a contradiction.
    m_contradictions += m_hasLosses || cpu.current->tid == 0 || !m_part.isAll() ? 0 : 1;
    const HostTimestamp since = cpu.current->tid == 0 ? HostTimestamp::min() : cpu.current->since;
    HostTimestamp from = std::max(cpu.lastEvent, since);
    if (from == since && from < at)
        from += Duration(1);
    m_interrupts.drop(from, cpu);
    forget(from, cpu);
}

void KernelStateMachine::appeared(HostTimestamp at, const Cpu& cpu, Thread& thread)
{
    missedStep(at, thread);
    if (!thread.isAlive || thread.state == ThreadState::Unknown)
        return;
    // In a recording of selected threads, switches from other threads to this thread are not recorded, so this thread may have got the CPU
    // at any time since its last state. No system call of this thread is missing, so setUnplacedState() can derive the thread's state from
    // its calls.
    setUnplacedState(m_part.threads.empty() ? std::max(cpu.lastEvent, thread.since) : thread.since, thread);
}

void KernelStateMachine::sleptUnseen(Thread& thread)
{
    if (!m_part.threads.empty())
        m_threads.setState(thread.since, thread, ThreadState::Waiting, thread.detail);
}

void KernelStateMachine::missedStep(HostTimestamp at, Thread& thread)
{
    if (!m_hasLosses || !thread.isAlive || thread.state == ThreadState::Unknown || thread.since >= m_lostUntil)
        return;
    HostTimestamp from = m_searches > MostSearches ? thread.since : at;
    if (m_searches <= MostSearches) {
        m_searches += m_cpuStore.size();
        for (const Cpu& cpu : m_cpuStore)
            from = std::min(from, std::max(cpu.gaps.firstAfter(thread.since), thread.since));
    }
    if (from == at)
        return;
    m_threads.setState(from, thread, ThreadState::Unknown, {});
    m_threads.finishWakeUps(thread, NoCpu);
    thread.mode = Mode::Unknown;
}

} // namespace helio::kernel
