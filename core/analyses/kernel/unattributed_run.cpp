// Handling of CPUs whose thread is still unknown. The changes of their states (steps) are held back until an event shows the thread. Then
// they are stored as states of this thread.

#include "core/analyses/kernel/kernel_state_machine.h"

#include <algorithm>

namespace helio::kernel {
namespace {

/// Maximum number of states (UnattributedRun::steps) and wake-ups that are kept, on all CPUs together, until events show the CPUs' threads.
/// A CPU that exceeds the limit is stored with an unknown thread.
constexpr std::uint64_t MostHeld = 1 << 20;

bool makesCalls(const UnattributedRun& unattributed)
{
    return std::ranges::any_of(unattributed.steps, [](const UnattributedRun::Step& step) { return step.status.mode != Mode::Unknown; });
}

} // namespace

void KernelStateMachine::awaitThread(HostTimestamp since, Cpu& cpu)
{
    // Do not wait for the CPU's thread in a recording without switches or of selected threads: the CPU may have run unrecorded threads.
    if (!m_hasSwitches || !m_part.threads.empty())
        return;
    if (!cpu.unattributed)
        cpu.unattributed = std::make_unique<UnattributedRun>();
    cpu.unattributed->thread = {};
    cpu.unattributed->thread.tid = UnseenTid;
    cpu.unattributed->since = since;
    cpu.current = &cpu.unattributed->thread;
}

void KernelStateMachine::hold(HostTimestamp at, Cpu& cpu)
{
    UnattributedRun& unattributed = *cpu.unattributed;
    UnattributedRun::Step& step = unattributed.steps.emplace_back();
    step.at = unattributed.thread.since = at;
    step.status = unattributed.thread;
    step.syscall = unattributed.thread.syscall;
    if (cpu.isInterrupted()) {
        step.handler = cpu.handlerState();
        step.handlerName = cpu.handlerName();
    }
    if (++m_heldStepsAndLinks > MostHeld)
        leaveUnattributed(cpu);
}

void KernelStateMachine::countHeldLink(Cpu& cpu)
{
    ++cpu.unattributed->links;
    if (++m_heldStepsAndLinks > MostHeld)
        leaveUnattributed(cpu);
}

void KernelStateMachine::see(const EventView& event, Cpu& cpu, Thread& thread)
{
    const HostTimestamp from = beginOf(event, cpu);
    const bool makesNoCalls = thread.tid == 0 || thread.isKernelThread;
    const bool isOfBegin = cpu.unattributed->since == HostTimestamp::min();
    const bool isFirstSeen = isOfBegin && thread.placed == HostTimestamp::min();
    const bool cameUnseen = isOfBegin && !isFirstSeen;
    const bool wasElsewhere = thread.isOnCpu || thread.placed > from || (thread.placed == from && thread.born == from)
        || (cameUnseen && !packetBegin(event, cpu));
    if (wasElsewhere || (makesNoCalls && makesCalls(*cpu.unattributed)))
        return leaveUnattributed(cpu); // A switch is missing, so the CPU's states until now are stored without a thread.
    if (thread.tid > 0) {
        missedStep(from, thread);
        // The thread was already on the CPU when it was woken or listed in a statedump, so the states from these events are wrong: mark
        // them as unknown.
        if (isFirstSeen || thread.since > from)
            m_threads.rollBack(isFirstSeen ? thread.born : from, thread);
        // The thread may have got this CPU at any time since its last state, because the CPU was not recorded from the beginning. Store a
        // state that leaves open whether the thread had a CPU.
        else if (cameUnseen)
            setUnplacedState(thread.since, thread);
        thread.isOnCpu = true;
        thread.cpu = cpu.number;
        thread.firstGap = cpu.gaps.count();
        thread.hasEvents = true;
        thread.placed = from;
    }
    const bool isIdle = thread.tid == 0;
    if (isIdle)
        cpu.idleTimes.begin(from);
    else if (thread.process)
        thread.process->lastSwitch = event.time();
    cpu.current = &thread;
    m_sink.set(from, cpu.threadTrack, toState(isIdle ? CpuThreadState::Idle : CpuThreadState::Running),
               static_cast<std::uint32_t>(thread.track));
    replay(from, cpu, &thread);
}

/// Returns the beginning of the stream's first packet if the stream contains only events of this CPU, so that everything on the CPU since
/// then is recorded; else nullopt.
std::optional<HostTimestamp> KernelStateMachine::packetBegin(const EventView& event, const Cpu& cpu) const
{
    const auto streams = m_trace.streams();
    const bool isOwn = event.stream < streams.size() && streams[event.stream].cpu == cpu.number;
    if (!isOwn || streams[event.stream].packets.empty() || !streams[event.stream].packets.front().range)
        return {};
    return std::clamp(streams[event.stream].packets.front().range->begin, m_begin, std::max(m_begin, event.time()));
}

/// Returns the time since which the CPU has run the thread that the event shows.
HostTimestamp KernelStateMachine::beginOf(const EventView& event, const Cpu& cpu) const
{
    const UnattributedRun& unattributed = *cpu.unattributed;
    if (unattributed.since != HostTimestamp::min())
        return unattributed.since;
    return packetBegin(event, cpu).value_or(unattributed.steps.empty() ? event.time() : unattributed.steps.front().at);
}

/// Stores the held-back states of the CPU as states without a known thread: only the interrupts of the CPU are known.
void KernelStateMachine::leaveUnattributed(Cpu& cpu)
{
    cpu.current = nullptr;
    replay(m_begin, cpu, nullptr);
}

/// Stores the steps that were held back as steps of `thread`. If `thread` is nullptr, the thread stays unknown, and only the CPU's
/// interrupts are stored.
void KernelStateMachine::replay(HostTimestamp from, Cpu& cpu, Thread* thread)
{
    if (thread) {
        thread->mode = Mode::Unknown;
        thread->returned = cpu.unattributed->thread.returned;
    }
    show(from, cpu, thread, CpuState::Unknown, {});
    for (const UnattributedRun::Step& step : cpu.unattributed->steps) {
        if (thread && thread->tid > 0) {
            thread->mode = step.status.mode;
            thread->isYielding = step.status.isYielding;
            thread->isInPageFault = step.status.isInPageFault;
            thread->isReturning = step.status.isReturning;
            thread->isExiting |= step.status.isExiting;
            thread->syscall = step.syscall;
        }
        show(std::max(from, step.at), cpu, thread, step.handler, step.handlerName);
    }
    if (cpu.unattributed->links > 0)
        m_threads.setWaker(static_cast<std::uint32_t>(cpu.number), thread && thread->tid != 0 ? thread->track : cpu.track);
    m_heldStepsAndLinks -= cpu.unattributed->steps.size() + cpu.unattributed->links;
    cpu.unattributed->steps.clear();
    cpu.unattributed->links = 0;
}

} // namespace helio::kernel
