#include "core/analyses/kernel/kernel_state_machine.h"

#include <algorithm>

namespace helio::kernel {
namespace {

/// The two statuses between which the fast path switches a thread. Entry and return of a system call change nothing else.
constexpr ThreadStatus InUserMode{ThreadState::RunningUser, Mode::User, false, true};
constexpr ThreadStatus InCall{ThreadState::RunningSyscall, Mode::Syscall, false, true};

} // namespace

KernelStateMachine::Step KernelStateMachine::stepOf(const Binding& binding)
{
    using enum Step::Kind;
    // Use no fast path: the TID in the event's context may differ from the TID of the CPU's thread, and only the handler checks this.
    if (binding.context.tid.isValid())
        return {binding.handler ? Any : None};
    const bool isOfAnyCall = binding.isNumbered && !binding[field::SyscallNumber].isValid();
    if (binding.kind == EventKind::SyscallExit && (!binding.isNumbered || isOfAnyCall))
        return {Return, binding.subject, keyOf(toState(ThreadState::RunningUser), 0)};
    const bool isOrdinary = !binding.isNumbered && !binding.isSignalReturn;
    if (binding.kind == EventKind::SyscallEntry && isOrdinary && !binding.isYield)
        return {Call, binding.subject, keyOf(toState(ThreadState::RunningSyscall), static_cast<std::uint32_t>(binding.subject))};
    return {binding.handler ? Any : None};
}

void KernelStateMachine::takeEvents(const EventRun& run)
{
    EventView event{nullptr, nullptr, run.packet, run.stream};
    // If the times are not ordered or exceed the limit, every event goes through its handler, which checks the time.
    const bool isWithinLimit = run.isOrdered && nanoseconds(run.records.back().time) <= TimeLimit;
    const Step* const steps = isWithinLimit ? m_steps.data() : m_carefulSteps.data();
    const EventRecord* const end = run.records.data() + run.records.size();
    Cpu* here = nullptr;
    for (const EventRecord* at = run.records.data(); at != end;) {
        const EventRecord& record = *at++;
        const Step& step = steps[static_cast<std::size_t>(record.type)];
        if (step.kind == Step::Kind::None)
            continue;
        if (record.cpu < 0) [[unlikely]] {
            takeWithoutCpu(record, event);
            continue;
        }
        if (!here || record.cpu != here->number) {
            Cpu* const there = cpu(record.cpu);
            if (!there)
                continue;
            here = there;
        }
        const EventRecord* const next = step.kind == Step::Kind::Any ? &record : takeCalls(&record, end, *here);
        if (next != &record)
            at = next;
        else
            handle(record, m_bindings[static_cast<std::size_t>(record.type)], event, *here);
        here->lastEvent = at[-1].time;
    }
}

/// Processes an event without a CPU: the state of a thread, or the entry or exit of a system call in a recording without CPUs, such as a
/// log of strace.
void KernelStateMachine::takeWithoutCpu(const EventRecord& record, EventView& event)
{
    const Binding& binding = m_bindings[static_cast<std::size_t>(record.type)];
    if (binding.kind == EventKind::TaskState)
        return handle(record, binding, event, m_noCpu);
    const bool isCall = binding.kind == EventKind::SyscallEntry || binding.kind == EventKind::SyscallExit;
    if (!isCall || !m_knowsCallers || m_hasSwitches)
        return;
    if (m_callWaits.hasCalls())
        takeWait(record, binding, event);
    handle(record, binding, event, m_noCpu);
}

/// Passes an entry or a return of a system call to m_callWaits. If the returning call failed, or if the thread waited in it, the state
/// InSyscall, which was stored at the entry, is replaced by FailedSyscall or WaitingInSyscall. Also stores which thread ended the wait.
void KernelStateMachine::takeWait(const EventRecord& record, const Binding& binding, EventView& event)
{
    event.record = &record;
    event.type = binding.type;
    const auto tid = static_cast<std::int32_t>(binding.context.tid.integerOr(event, -1));
    const auto pid = static_cast<std::int32_t>(binding.context.pid.integerOr(event, -1));
    if (binding.kind == EventKind::SyscallEntry)
        return m_callWaits.onEntry(tid, pid, record.type, event);
    const auto outcome = m_callWaits.onExit(tid, pid, record.type, event);
    Thread* const thread = outcome ? m_threads.find(tid) : nullptr;
    if (!thread || thread->state != ThreadState::InSyscall || thread->since >= record.time)
        return;
    m_threads.setState(thread->since, *thread, outcome->hasFailed ? ThreadState::FailedSyscall : ThreadState::WaitingInSyscall);
    const Thread* const waker = m_threads.findAny(outcome->waker);
    if (!waker || waker->track == NoTrack || waker == thread)
        return;
    const HostTimestamp at = std::clamp(outcome->wokenAt, thread->since, record.time);
    m_sink.link({LinkKind::Wakeup, waker->track, thread->track, at, record.time, static_cast<std::uint32_t>(NoCpu), {}, NoCpu});
}

/// True if takeCalls() can be used: the CPU's stored state is user mode or a system call, and the thread's state agrees. refresh() stores
/// these states only if there is no interrupt, gap or page fault, so the thread's next entry or exit changes only the states of the thread
/// and of its CPU.
bool KernelStateMachine::isUsual(const Cpu& cpu) const
{
    const Thread* const thread = cpu.current;
    if (!thread || cpu.detail != thread->title)
        return false;
    return (cpu.state == CpuState::User && *thread == InUserMode) || (cpu.state == CpuState::Syscall && *thread == InCall);
}

/// Fast path for a thread that alternates between user mode and system calls: processes nine of ten events of a busy machine, with a
/// third of the instructions of the system call handlers. Returns the first event that it cannot process; this and all later events are
/// left to the caller.
///
/// Not used after a loss of events: useCarefulSteps() then selects the handlers for all event types.
const EventRecord* KernelStateMachine::takeCalls(const EventRecord* first, const EventRecord* end, Cpu& cpu)
{
    using enum Step::Kind;
    if (!isUsual(cpu))
        return first;
    Thread& thread = *cpu.current;
    TrackBoundaries& own = *thread.row;
    TrackBoundaries& its = *cpu.row;
    const std::uint64_t keys[] = {keyOf(toState(CpuState::Syscall), static_cast<std::uint32_t>(cpu.detail)),
                                  keyOf(toState(CpuState::User), static_cast<std::uint32_t>(cpu.detail))};
    const EventRecord* const last = first + std::min({static_cast<std::size_t>(end - first), own.room(), its.room()});
    std::int64_t time = std::max(own.last().begin, its.last().begin);
    Boundary* next = own.end();
    Boundary* itsNext = its.end();
    Step::Kind kind = cpu.state == CpuState::User ? Call : Return;
    std::uint64_t key = keys[kind == Return];
    StringId call = thread.syscall;
    const EventRecord* at = first;
    for (const Step* const steps = m_steps.data(); at != last; ++at) {
        const Step& step = steps[static_cast<std::size_t>(at->type)];
        if (step.kind != kind || nanoseconds(at->time) <= time || at->cpu != cpu.number)
            break;
        if (kind == Return && step.call != call && step.call != StringId{})
            break;
        call = step.call;
        time = nanoseconds(at->time);
        *next++ = {time, step.key};
        *itsNext++ = {time, key};
        kind = kind == Call ? Return : Call;
        key ^= keys[0] ^ keys[1];
    }
    if (at != first)
        commitSteps(cpu, static_cast<std::size_t>(at - first), kind == Return);
    return at;
}

/// Adds the `count` intervals that takeCalls() has already written after the last interval of the CPU's row and of the thread's row.
/// Increases the lengths of both rows, and updates the current states of the CPU and the thread.
void KernelStateMachine::commitSteps(Cpu& cpu, std::size_t count, bool isInCall)
{
    Thread& thread = *cpu.current;
    thread.row->grow(count);
    cpu.row->grow(count);
    static_cast<ThreadStatus&>(thread) = isInCall ? InCall : InUserMode;
    thread.syscall = thread.detail = StringId(valueIn(thread.row->last().key));
    thread.since = cpu.since = hostTime(cpu.row->last().begin);
    cpu.state = isInCall ? CpuState::Syscall : CpuState::User;
    cpu.hasSyscalls = true;
}

} // namespace helio::kernel
