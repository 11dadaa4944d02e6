#include "core/analyses/kernel/kernel_state_machine.h"

#include "core/trace/trace.h"

#include <algorithm>

namespace helio::kernel {
namespace {

/// Maximum number of CPUs that Linux can be built for (NR_CPUS).
constexpr std::int64_t MaxCpus = 8192;

Architecture architectureOf(const Trace& trace)
{
    for (const char* key : {"machine", "architecture", "arch"}) {
        const std::string machine = trace.info().text(key);
        if (!machine.empty())
            return architectureNamed(machine);
    }
    return Architecture::X86; // Default for traces that do not record the architecture: nearly all of them are from x86.
}

} // namespace

KernelStateMachine::KernelStateMachine(const Trace& trace, StateSink& sink)
    : m_trace(trace)
    , m_sink(sink)
    , m_part(trace.info().part)
    , m_threads(sink, m_part)
    , m_interrupts(sink)
    , m_prevStateDecoder(kernelRelease(trace.info()))
    , m_contextFlags(kernelRelease(trace.info()))
    , m_cpuStates(*sink.stateSet(cpuStates()))
    , m_cpuThreadStates(*sink.stateSet(cpuThreadStates()))
    , m_callWaits(trace)
{
    declareLinks(sink);
    m_records = trace.processRecords();
    m_architecture = architectureOf(trace);
    if (const std::string version = trace.info().text("kernel_version"); !version.empty())
        m_interrupts.setPreemptible(version.find("PREEMPT_RT") != std::string::npos || version.find("PREEMPT RT") != std::string::npos);
    bindTypes();
    bindSamples();
}

void KernelStateMachine::bindTypes()
{
    const SyscallNaming naming = syscallNaming(m_trace);
    ThreadContexts contexts;
    NamedCallers callers(m_part);
    m_bindings.reserve(m_trace.eventTypes().size());
    for (const auto& type : m_trace.eventTypes()) {
        Binding& binding = m_bindings.emplace_back(bind(*type, naming, contexts, m_sink));
        if (isSampled(m_trace, EventTypeId(static_cast<std::uint32_t>(m_bindings.size() - 1))))
            // Ignore event types that were recorded only as samples: too many events between the samples are missing.
            binding.kind = EventKind::None;
        callers.add(binding.kind, binding.context.tid);
        m_hasForks |= binding.kind == EventKind::ProcessFork;
        m_recordsExec |= binding.kind == EventKind::ProcessExec;
        m_hasSwitches |= binding.kind == EventKind::SchedSwitch || binding.kind == EventKind::TaskState;
    }
    m_knowsCallers = callers.areAll();
    for (Binding& binding : m_bindings) {
        const bool namesThread = m_hasSwitches && binding.context.tid.isValid();
        binding.handler = binding.kind == EventKind::None && namesThread ? onOther : handlerOf(binding.kind);
        m_steps.push_back(stepOf(binding));
        m_carefulSteps.push_back({binding.handler ? Step::Kind::Any : Step::Kind::None});
    }
}

void KernelStateMachine::begin(HostTimestamp at)
{
    m_begin = at;
    m_noCpu.hasSyscalls = true; // The first system call changes the states of a CPU's row, which it does not have.
    m_threads.begin(at);
    m_interrupts.begin(at);
    std::vector<std::int32_t> numbers;
    for (const StreamInfo& stream : m_trace.streams())
        numbers.push_back(stream.cpu);
    std::sort(numbers.begin(), numbers.end());
    for (const std::int32_t number : numbers)
        cpu(number);
}

void KernelStateMachine::handle(const EventRecord& record, const Binding& binding, EventView& event, Cpu& cpu)
{
    event.record = &record;
    event.type = binding.type;
    if (binding.context.tid.isValid() && binding.kind != EventKind::SchedSwitch) {
        if (isKnown(binding, event, cpu))
            cpu.leftTid = UnseenTid;
        else
            adopt(binding, event, cpu);
    }
    binding.handler(*this, binding, event, cpu);
}

bool KernelStateMachine::isKnown(const Binding& binding, const EventView& event, const Cpu& cpu) const
{
    const Thread* const thread = cpu.current;
    return thread && thread->tid == binding.context.tid.integerOr(event, -1)
        && (thread->pid >= 0 || thread->tid == 0 || !binding.context.pid.isValid());
}

void KernelStateMachine::adopt(const Binding& binding, const EventView& event, Cpu& cpu)
{
    Thread* const thread = m_trustsContexts ? threadOfContext(binding, event, cpu) : nullptr;
    if (!thread)
        return;
    if (thread->comm.isEmpty() && binding.context.name.isValid())
        m_threads.setComm(event.time(), *thread, binding.context.name.text(event));
    m_threads.setFamily(*thread, static_cast<std::int32_t>(binding.context.pid.integerOr(event, -1)), -1);
    if (!m_hasSwitches || cpu.current == thread)
        return;
    // The event belongs to a new system call, so the exit of the thread's previous call is missing.
    if (isOfNewCall(binding, event, *thread))
        thread->mode = Mode::Unknown;
    place(event, cpu, *thread);
}

/// Returns the host TID in the event's context; nullopt if the context does not contain it.
std::optional<std::int32_t> KernelStateMachine::tidOfContext(const Binding& binding, const EventView& event) const
{
    // Inode number of the initial PID namespace: PROC_PID_INIT_INO in include/linux/proc_ns.h.
    constexpr std::int64_t InitialNamespace = 0xeffffffc;
    const std::int64_t tid = binding.context.tid.integerOr(event, -1);
    if (tid < 0 || tid > 0x7fffffff)
        return {};
    // An exiting thread has no PID namespace any more, and its vtid is 0.
    if (binding.context.pidNamespace.isValid() && (tid == 0 || binding.context.pidNamespace.integerOr(event, 0) != InitialNamespace))
        return {};
    return static_cast<std::int32_t>(tid);
}

/// Returns the CPU's thread according to the event's context; nullptr if the context does not show the thread.
Thread* KernelStateMachine::threadOfContext(const Binding& binding, const EventView& event, const Cpu& cpu)
{
    const auto tid = tidOfContext(binding, event);
    if (!tid)
        return nullptr;
    const bool mayBeLeaving = binding.isAfterSwitch && *tid == cpu.leftTid;
    if (mayBeLeaving && m_part.threads.empty() && !missesSwitches)
        return nullptr;
    Thread& thread = *tid == 0 ? m_threads.idle() : touch(*tid, event.time());
    // In a recording of selected threads, some switches are missing, and only a thread's own events show that the thread is back on the
    // CPU. But an event shortly after its switch-out may still be of the leaving thread, until prepare_task_switch() (kernel/sched/core.c)
    // detaches its events. This is the maximum delay of such an event.
    constexpr Duration LongestLeave{10'000};
    const bool isLeaving = mayBeLeaving && event.time() - cpu.switchedAt < LongestLeave;
    return isRecorded(thread) && !isLeaving ? &thread : nullptr;
}

/// Makes `thread`, which caused the event, the thread on the CPU. If the CPU had another thread before, a switch is missing.
void KernelStateMachine::place(const EventView& event, Cpu& cpu, Thread& thread)
{
    reveal(event, cpu, thread);
    if (cpu.current == &thread)
        return;
    misplaced(event.time(), cpu);
    if (!thread.isOnCpu)
        appeared(event.time(), cpu, thread);
    setCurrent(event.time(), cpu, thread);
}

Thread* KernelStateMachine::callerOf(const Binding& binding, const EventView& event)
{
    const auto tid = m_hasSwitches || !m_knowsCallers ? std::nullopt : tidOfContext(binding, event);
    if (!tid || *tid == 0)
        return nullptr;
    Thread& thread = touch(*tid, event.time());
    // The thread itself recorded the event (the event's context contains its TID), so the trace includes the thread's events.
    m_threads.setRecorded(thread);
    missedStep(event.time(), thread);
    return &thread;
}

/// Returns true if the event belongs to a system call other than the thread's current one.
bool KernelStateMachine::isOfNewCall(const Binding& binding, const EventView& event, const Thread& thread)
{
    if (thread.mode != Mode::Syscall)
        return false;
    return binding.kind == EventKind::SyscallEntry || (binding.kind == EventKind::SyscallExit && isOfOtherCall(binding, event, thread));
}

bool KernelStateMachine::isOfOtherCall(const Binding& binding, const EventView& event, const Thread& thread)
{
    if (!binding.isNumbered)
        return binding.subject != thread.syscall;
    // Number of the system call; negative for the return from a signal handler, whose event has no number.
    const std::int64_t number = binding[field::SyscallNumber].integerOr(event, -1);
    return number >= 0 && numberedCall(number, binding.isCompat).name != thread.syscall;
}

void KernelStateMachine::loseCall(HostTimestamp at, Cpu& cpu, Thread& thread)
{
    // If the thread has returned to user mode, its last system call ended normally, and the call with the missing event began later. Keep
    // the state in user mode for 1 ns to show that the last call ended.
    const bool hasReturned = thread.mode == Mode::User && thread.since != thread.placed;
    thread.mode = Mode::Unknown;
    const HostTimestamp since = thread.since + Duration(hasReturned ? 1 : 0);
    if (since >= at)
        return;
    const bool isCurrent = cpu.current == &thread;
    if (thread.state == ThreadState::InSyscall || thread.state == ThreadState::BetweenSyscalls)
        m_threads.setState(since, thread, ThreadState::Unknown, {});
    else if (isCurrent && (thread.state == ThreadState::RunningSyscall || thread.state == ThreadState::RunningUser))
        m_threads.setState(since, thread, ThreadState::Running, {});
    if (isCurrent && (cpu.state == CpuState::Syscall || cpu.state == CpuState::User) && cpu.since < at)
        setCpuState(std::max(cpu.since, since), cpu, CpuState::Running, thread.title);
}

void KernelStateMachine::setUnplacedState(HostTimestamp at, Thread& thread)
{
    if (!m_knowsCallers || !m_trustsContexts || isAnyLost(at))
        // System calls of the thread may be missing in the recording, so it is unknown whether the thread is in a call.
        thread.mode = Mode::Unknown;
    const bool isInCall = thread.mode == Mode::Syscall;
    const bool isBetween = thread.mode == Mode::User;
    m_threads.setState(at, thread, isInCall ? ThreadState::InSyscall : isBetween ? ThreadState::BetweenSyscalls : ThreadState::Unknown);
}

void KernelStateMachine::finish(HostTimestamp at)
{
    for (Cpu& cpu : m_cpuStore)
        if (cpu.isUnseen())
            leaveUnattributed(cpu);
    for (Thread& thread : m_threads.all()) {
        settle(thread);
        m_threads.finishWakeUps(thread, thread.isOnCpu ? thread.cpu : NoCpu);
        // If the last event of the trace is the return of a system call, keep the state after the call (BetweenSyscalls) for 1 ns. A state
        // without a duration is not stored, and then the call would look as if it had no end. Threads that are on a CPU do not get this 1
        // ns, because their rows must end at the same time as the row of the CPU.
        if (thread.state == ThreadState::BetweenSyscalls && thread.since == at && thread.track != NoTrack)
            m_sink.end(at + Duration(1), thread.track);
        if (!m_hasSwitches)
            missedStep(at, thread);
        // Mark the thread as unknown: the trace declares the event type of switches but contains no switch, so only wake-ups of the thread
        // are known.
        else if (!sawSwitch && !thread.isOnCpu)
            m_threads.rollBack(thread.born, thread);
        // Store a state that leaves open whether the thread has a CPU: in a recording of selected threads, the thread may have got a CPU
        // without a recorded switch.
        else if (!m_part.threads.empty() && !thread.isOnCpu)
            setUnplacedState(thread.since, thread);
    }
    for (auto& [pid, process] : m_threads.processes())
        markThrottled(at, process, nullptr, nullptr);
    m_threads.addLeaders(m_begin);
    m_threads.attachOrphans();
}

Cpu* KernelStateMachine::cpu(std::int64_t number)
{
    if (number < 0 || number >= MaxCpus)
        return nullptr;
    const auto index = static_cast<std::size_t>(number);
    if (index < m_cpus.size() && m_cpus[index])
        return m_cpus[index];
    return &addCpu(static_cast<std::int32_t>(number));
}

Cpu& KernelStateMachine::addCpu(std::int32_t number)
{
    Cpu& cpu = m_cpuStore.emplace_back();
    cpu.number = number;
    cpu.since = m_begin;
    cpu.lastEvent = m_begin;
    cpu.gaps = m_gapsOfAll;
    if (m_cpus.size() <= static_cast<std::size_t>(number))
        m_cpus.resize(static_cast<std::size_t>(number) + 1);
    m_cpus[static_cast<std::size_t>(number)] = &cpu;

    Track row;
    row.view = "resources";
    row.kind = "cpu";
    row.role = TrackRole::Cpu;
    row.key = "cpu:" + std::to_string(number);
    row.label = "CPU " + std::to_string(number);
    row.states = m_cpuStates;
    row.valueKind = ValueKind::Text;
    row.cpu = number;
    row.sortKey = number;
    Track thread = row;
    cpu.track = m_sink.addTrack(std::move(row));
    cpu.row = &m_sink.rowOf(cpu.track);
    thread.kind = "cpu-thread";
    thread.role = TrackRole::CpuThread;
    thread.key += "/thread";
    thread.label = "Thread";
    thread.parent = cpu.track;
    thread.states = m_cpuThreadStates;
    thread.valueKind = ValueKind::Track;
    thread.sortKey = 0;
    cpu.threadTrack = m_sink.addTrack(std::move(thread));
    m_sink.set(m_begin, cpu.track, toState(CpuState::Unknown));
    m_sink.set(m_begin, cpu.threadTrack, toState(CpuThreadState::Unknown), static_cast<std::uint32_t>(NoTrack));
    if (cpu.gaps.isEmpty())
        awaitThread(HostTimestamp::min(), cpu);
    return cpu;
}

void KernelStateMachine::setCurrent(HostTimestamp at, Cpu& cpu, Thread& thread)
{
    if (thread.isOnCpu && thread.cpu != cpu.number)
        misplaced(at, *m_cpus[static_cast<std::size_t>(thread.cpu)]);
    cpu.current = &thread;
    cpu.leftTid = UnseenTid;
    const bool isIdle = thread.tid == 0;
    if (isIdle) {
        cpu.idleTimes.begin(at);
    } else {
        cpu.idleTimes.end(at);
        if (thread.process) {
            markThrottled(at, *thread.process, &thread, &cpu);
            thread.process->lastSwitch = at;
        }
        thread.isOnCpu = true;
        thread.cpu = cpu.number;
        thread.firstGap = cpu.gaps.count();
        thread.hasEvents = true;
        thread.placed = at;
    }
    if (!cpu.isInGap(at))
        m_sink.set(at, cpu.threadTrack, toState(isIdle ? CpuThreadState::Idle : CpuThreadState::Running),
                   static_cast<std::uint32_t>(thread.track));
    refresh(at, cpu);
}

void KernelStateMachine::refreshUnusual(HostTimestamp at, Cpu& cpu)
{
    Thread* thread = cpu.current && cpu.current->tid > 0 ? cpu.current : nullptr;
    if (cpu.isInGap(at)) {
        // Only some channels lost events in the gap. The events of the remaining channels may show only a part of the CPU's activity, so
        // the thread's state is unknown.
        if (thread)
            m_threads.setState(at, *thread, ThreadState::Unknown, {});
    } else if (cpu.isUnseen()) {
        hold(at, cpu);
    } else if (cpu.isInterrupted()) {
        show(at, cpu, cpu.current, cpu.handlerState(), cpu.handlerName());
    } else {
        show(at, cpu, cpu.current, CpuState::Unknown, {});
    }
}

/// Stores the states of the CPU and its thread (nullptr if unknown). `handler`: Irq or Softirq if a handler interrupts the thread, else
/// Unknown.
void KernelStateMachine::show(HostTimestamp at, Cpu& cpu, Thread* thread, CpuState handler, StringId handlerName)
{
    const bool isThread = thread && thread->tid > 0;
    if (handler != CpuState::Unknown) {
        if (isThread)
            m_threads.setState(at, *thread, ThreadState::Interrupted, handlerName);
        setCpuState(at, cpu, handler, handlerName);
    } else if (isThread) {
        const CpuActivity doing = activityOnCpu(*thread, cpu.hasSyscalls);
        m_threads.setState(at, *thread, doing.thread);
        setCpuState(at, cpu, doing.cpu, thread->title);
    } else {
        setCpuState(at, cpu, thread ? CpuState::Idle : CpuState::Unknown, {});
    }
}

KernelStateMachine::NumberedCall KernelStateMachine::numberedCall(std::int64_t number, bool isCompat)
{
    const auto key = (static_cast<std::uint64_t>(number) & 0xffffffff) | std::uint64_t(isCompat) << 32;
    const std::uint32_t known = m_callByNumber.find(key);
    if (known != FlatMap::Missing)
        return m_calls[known];
    const std::string name = syscallName(number, isCompat ? Architecture::Other : m_architecture);
    m_callByNumber.put(key, static_cast<std::uint32_t>(m_calls.size()));
    return m_calls.emplace_back(NumberedCall{m_sink.string(name), isYield(name), isSignalReturn(name)});
}

void KernelStateMachine::noteFirstSyscall(Cpu& cpu)
{
    cpu.hasSyscalls = true;
    // Store the state again with the mode that is now known. Until this first system call event, the thread was stored as Running.
    Thread* thread = cpu.current;
    if (thread && thread->mode == Mode::User && thread->state == ThreadState::Running && !cpu.isInterrupted())
        refresh(std::max(thread->since, cpu.since), cpu);
}

} // namespace helio::kernel
