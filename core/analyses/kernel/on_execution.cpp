// Handlers of system calls, page faults, interrupts and frequency changes.

#include "core/analyses/kernel/binding.h"
#include "core/analyses/kernel/kernel_state_machine.h"

#include <limits>

namespace helio::kernel {
namespace {

/// Returns the thread that makes a system call on the CPU; nullptr if unknown.
inline Thread* caller(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu& cpu)
{
    machine.noteSyscalls(cpu);
    machine.endInterrupts(event.time(), cpu);
    Thread* thread = cpu.current;
    if (!thread) [[unlikely]]
        return machine.callerOf(binding, event);
    // The idle thread and kernel threads make no system calls; a kernel thread becomes a user-space thread only by an exec. So the CPU runs
    // another thread by now, and the switch to that thread is missing.
    if (thread->tid == 0 || (thread->isKernelThread && machine.knowsKernelThreads())) {
        machine.misplaced(event.time(), cpu);
        return nullptr;
    }
    return thread->tid == 0 ? nullptr : thread;
}

void refreshCaller(KernelStateMachine& machine, HostTimestamp at, Cpu& cpu, Thread& thread)
{
    if (cpu.current)
        machine.refresh(at, cpu);
    else
        machine.setUnplacedState(at, thread);
}

/// Handles the exit event of a return from a signal handler, which only kernels before 4.6 have. Stores that the thread has been in a
/// system call since `thread.returned`.
void correctReturn(KernelStateMachine& machine, Cpu& cpu, Thread& thread)
{
    machine.showsSignalReturns = true;
    const bool wasInterrupted = thread.since > thread.returned || cpu.since > thread.returned;
    if (wasInterrupted)
        return;
    thread.mode = Mode::Syscall;
    refreshCaller(machine, thread.returned, cpu, thread);
}

InterruptKind interruptKind(EventKind kind)
{
    switch (kind) {
    case EventKind::SoftirqEntry:
    case EventKind::SoftirqExit: return InterruptKind::Softirq;
    case EventKind::VectorEntry:
    case EventKind::VectorExit: return InterruptKind::Vector;
    default: return InterruptKind::Irq;
    }
}

} // namespace

void onSyscallEntry(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu& cpu)
{
    Thread* thread = caller(machine, binding, event, cpu);
    if (!thread)
        return;
    KernelStateMachine::NumberedCall call{binding.subject, binding.isYield, binding.isSignalReturn};
    if (binding.isNumbered)
        call = machine.numberedCall(binding[field::SyscallNumber].integerOr(event, -1), binding.isCompat);
    if (thread->mode == Mode::Syscall) [[unlikely]]
        machine.loseCall(event.time(), cpu, *thread);
    thread->isReturning = call.isSignalReturn && !machine.showsSignalReturns;
    if (thread->isReturning)
        thread->returned = event.time();
    thread->mode = thread->isReturning ? Mode::User : Mode::Syscall;
    thread->isYielding = call.isYield;
    thread->syscall = call.name;
    machine.threads().setKernelThread(*thread, false);
    refreshCaller(machine, event.time(), cpu, *thread);
}

void onSyscallExit(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu& cpu)
{
    Thread* thread = caller(machine, binding, event, cpu);
    if (!thread)
        return;
    if (thread->isReturning)
        correctReturn(machine, cpu, *thread);
    else if (thread->mode == Mode::User || (thread->mode == Mode::Syscall && machine.isOfOtherCall(binding, event, *thread))) [[unlikely]]
        machine.loseCall(event.time(), cpu, *thread);
    thread->isReturning = false;
    thread->mode = Mode::User;
    thread->isYielding = false;
    refreshCaller(machine, event.time(), cpu, *thread);
}

void onPageFault(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu& cpu)
{
    Thread* thread = cpu.current;
    if (!thread || thread->tid == 0)
        return;
    thread->isInPageFault = binding.kind == EventKind::PageFaultEntry;
    machine.refresh(event.time(), cpu);
}

/// Handles events that are only used for the thread in their context; KernelStateMachine::handle() has already processed the context.
void onOther(KernelStateMachine&, const Binding&, const EventView&, Cpu&) { }

void onInterruptEntry(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu& cpu)
{
    const auto number = binding[field::InterruptNumber].integer(event);
    if (!number)
        return;
    const std::string_view name = binding.kind == EventKind::IrqEntry ? binding[field::InterruptName].text(event) : binding.label;
    if (const auto lost = machine.interrupts().enter(event.time(), cpu, interruptKind(binding.kind), *number, name))
        machine.rollBack(*lost, cpu);
    machine.refresh(event.time(), cpu);
}

void onInterruptExit(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu& cpu)
{
    const auto number = binding[field::InterruptNumber].integer(event);
    if (number && machine.interrupts().leave(event.time(), cpu, interruptKind(binding.kind), *number))
        machine.refresh(event.time(), cpu);
}

void onTimer(KernelStateMachine&, const Binding& binding, const EventView&, Cpu& cpu)
{
    StringId& timer = binding.isHighResolution ? cpu.timers.highResolution : cpu.timers.wheel;
    timer = binding.kind == EventKind::TimerEntry ? binding.subject : StringId{};
}

void onSoftirqRaise(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu& cpu)
{
    if (const auto number = binding[field::InterruptNumber].integer(event))
        machine.interrupts().raise(event.time(), cpu, *number);
}

void onFrequency(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu&)
{
    Cpu* cpu = machine.cpu(binding[field::FrequencyCpu].integerOr(event, -1));
    const auto kHz = binding[field::FrequencyKHz].integer(event);
    if (!cpu || !kHz || machine.isAnyLost(event.time()))
        return;
    StateSink& sink = machine.sink();
    if (cpu->frequencyTrack == NoTrack) {
        Track track;
        track.view = "resources";
        track.kind = "frequency";
        track.role = TrackRole::Frequency;
        track.key = "cpu:" + std::to_string(cpu->number) + "/frequency";
        track.label = "Frequency";
        track.parent = cpu->track;
        // stateSet() never returns nullopt here: a store has room for the state sets of the kernel analysis.
        track.states = *sink.stateSet(frequencyStates());
        track.valueKind = ValueKind::Number;
        track.band = TrackDrawing::Line;
        track.cpu = cpu->number;
        track.sortKey = 1;
        cpu->frequencyTrack = sink.addTrack(std::move(track));
    }
    if (*kHz > 0 && *kHz <= std::numeric_limits<std::int32_t>::max())
        sink.set(event.time(), cpu->frequencyTrack, State{}, static_cast<std::uint32_t>(*kHz));
    else
        sink.end(event.time(), cpu->frequencyTrack); // The value is invalid, so the frequency is unknown from now on.
}

EventHandler handlerOf(EventKind kind)
{
    switch (kind) {
    case EventKind::SchedSwitch: return onSchedSwitch;
    case EventKind::SchedWaking:
    case EventKind::SchedWakeup:
    case EventKind::SchedWakeupNew: return onWakeup;
    case EventKind::SchedMigrate: return onMigrate;
    case EventKind::ProcessFork: return onFork;
    case EventKind::ProcessExec: return onExec;
    case EventKind::ProcessExit: return onExit;
    case EventKind::ProcessFree: return onFree;
    case EventKind::PrioritySet: return onPrioritySet;
    case EventKind::SyscallEntry: return onSyscallEntry;
    case EventKind::SyscallExit: return onSyscallExit;
    case EventKind::IrqEntry:
    case EventKind::SoftirqEntry:
    case EventKind::VectorEntry: return onInterruptEntry;
    case EventKind::IrqExit:
    case EventKind::SoftirqExit:
    case EventKind::VectorExit: return onInterruptExit;
    case EventKind::SoftirqRaise: return onSoftirqRaise;
    case EventKind::TimerEntry:
    case EventKind::TimerExit: return onTimer;
    case EventKind::PageFaultEntry:
    case EventKind::PageFaultExit: return onPageFault;
    case EventKind::CpuFrequency: return onFrequency;
    case EventKind::ProcessStatedump: return onStatedump;
    case EventKind::TaskState: return onTaskState;
    case EventKind::NamespaceStatedump: return onNamespaceStatedump;
    case EventKind::None: break;
    }
    return nullptr;
}

} // namespace helio::kernel
