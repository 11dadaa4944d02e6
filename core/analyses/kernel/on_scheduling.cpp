#include "core/analyses/kernel/binding.h"
#include "core/analyses/kernel/kernel_state_machine.h"

namespace helio::kernel {
namespace {

bool isTid(std::int64_t number) { return number >= 0 && number <= 0x7fffffff; }

ThreadState stateAfter(SwitchOutReason left, const Thread& thread)
{
    switch (left) {
    case SwitchOutReason::Runnable: return thread.isYielding ? ThreadState::WaitCpu : ThreadState::Preempted;
    case SwitchOutReason::Preempted: return ThreadState::Preempted;
    case SwitchOutReason::Sleeping: return ThreadState::Sleeping;
    case SwitchOutReason::Blocked: return ThreadState::Blocked;
    case SwitchOutReason::IdleKthread: return ThreadState::IdleKthread;
    case SwitchOutReason::Stopped: return ThreadState::Stopped;
    case SwitchOutReason::Parked: return ThreadState::Parked;
    default: return ThreadState::Waiting;
    }
}

bool isAsleep(ThreadState state) { return state >= ThreadState::Sleeping && state <= ThreadState::Parked; }

SwitchOutReason whyLeft(KernelStateMachine& machine, const Binding& binding, const EventView& event, const Thread& thread)
{
    const FieldRef& state = binding[field::PrevState];
    if (state.isText())
        return PrevStateDecoder::decodeLetters(state.text(event));
    const auto number = state.integer(event);
    return number ? machine.prevStateDecoder().decode(*number, thread.isKernelThread) : SwitchOutReason::Waiting;
}

/// Returns the thread that is switched out. If another thread was assumed to be on the CPU, switches are missing, so the states of the CPU
/// and of the threads since their last events become unknown.
Thread& leaver(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu& cpu, std::int32_t tid)
{
    if (cpu.current && cpu.current->tid == tid)
        return *cpu.current;
    Thread& thread = tid == 0 ? machine.threads().idle() : machine.touch(tid, event.time());
    machine.threads().takeComm(thread, binding[field::PrevComm], event);
    machine.reveal(event, cpu, thread);
    if (cpu.current == &thread)
        return thread;
    machine.missesSwitches |= cpu.current && cpu.current->tid == 0 && !machine.isAnyLost(event.time());
    machine.misplaced(event.time(), cpu);
    if (thread.isOnCpu)
        machine.misplaced(event.time(), *machine.cpu(thread.cpu));
    else
        machine.appeared(event.time(), cpu, thread);
    return thread;
}

/// Sets the process of the thread that leaves, from the context of the switch event. If the context contains the TID of another thread,
/// ignores all contexts from now on: they number threads differently from switches, e.g. if perf recorded inside a container.
void takeContext(KernelStateMachine& machine, const Binding& binding, const EventView& event, Thread& prev)
{
    const std::int64_t tid = binding.context.tid.integerOr(event, -1);
    if (tid <= 0 || binding.context.pidNamespace.isValid())
        return;
    if (tid != prev.tid)
        machine.distrustContexts();
    else if (prev.pid < 0)
        machine.threads().setFamily(prev, static_cast<std::int32_t>(binding.context.pid.integerOr(event, -1)), -1);
}

void leave(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu& cpu, Thread& thread)
{
    const HostTimestamp at = event.time();
    Threads& threads = machine.threads();
    threads.takeComm(thread, binding[field::PrevComm], event);
    if (const auto priority = binding[field::PrevPriority].integer(event))
        threads.setPriority(at, thread, static_cast<std::int32_t>(*priority));
    const SwitchOutReason left = whyLeft(machine, binding, event, thread);
    thread.isOnCpu = false;
    thread.cpu = -1;
    thread.hasEvents = true;
    thread.placed = at;
    if (thread.process)
        thread.process->lastSwitch = at;
    cpu.leaver = thread.track;
    cpu.leftAt = at;
    if (left == SwitchOutReason::Dead) {
        threads.finishWakeUps(thread, cpu.number);
        threads.end(at, thread);
        thread.isFreePending = true;
        return;
    }
    const ThreadState state = stateAfter(left, thread);
    // A thread that was woken while it was running just continues. If it goes to sleep, the wake-up came just before the sleep and ends the
    // sleep at once.
    if (!isAsleep(state))
        threads.finishWakeUps(thread, cpu.number);
    machine.setOffCpuState(at, thread, state);
    if (isRunnable(state))
        KernelStateMachine::queueSwitchedOut(at, thread, cpu);
}

void switchOut(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu& cpu, std::int32_t tid)
{
    Thread& prev = leaver(machine, binding, event, cpu, tid);
    takeContext(machine, binding, event, prev);
    // The tracer records a switch event in the context of the thread that leaves the CPU. Therefore this thread is one of the recorded
    // threads.
    machine.threads().setRecorded(prev);
    if (tid != 0)
        leave(machine, binding, event, cpu, prev);
    else if (const auto state = binding[field::PrevState].integer(event))
        machine.prevStateDecoder().learnFromIdle(*state);
}

Thread& enter(KernelStateMachine& machine, const Binding& binding, const EventView& event, std::int32_t tid)
{
    if (tid == 0)
        return machine.threads().idle();
    const HostTimestamp at = event.time();
    Thread& thread = machine.touch(tid, at);
    if (isAsleep(thread.state)) {
        machine.sleptUnseen(thread);
        // The thread was asleep and runs now, so an event is missing: its wake-up, or, in a recording of selected threads, a time on a CPU
        // that was not recorded.
        if (machine.sawWakeup || machine.hasSelectedThreadsOnly())
            machine.missedStep(at, thread);
    }
    machine.threads().finishWakeUps(thread, event.cpu());
    machine.threads().takeComm(thread, binding[field::NextComm], event);
    if (const auto priority = binding[field::NextPriority].integer(event))
        machine.threads().setPriority(at, thread, static_cast<std::int32_t>(*priority));
    return thread;
}

/// Returns the interrupt in which the event occurred: the handler that runs on the CPU, or else the interrupt that the event's flags show.
/// Empty if the event occurred in a thread.
StringId interruptOf(KernelStateMachine& machine, const Binding& binding, const EventView& event, const Cpu& cpu)
{
    const StringId known = cpu.interruptName();
    if (known != StringId{} || !binding[field::WakerFlags].isValid())
        return known;
    const std::string_view marked = machine.contextFlags().interruptOf(binding[field::WakerFlags].integerOr(event, 0));
    return marked.empty() ? StringId{} : machine.sink().string(marked);
}

/// Adds the link of a wake-up that was made on `cpu`. A wake-up in an interrupt is not attributed to the interrupted thread.
void addWaking(KernelStateMachine& machine, HostTimestamp at, Cpu& cpu, const Cpu* target, Thread& thread, StringId context)
{
    const bool isOfThread = cpu.current && cpu.current->tid != 0 && context == StringId{};
    const TrackId from = isOfThread ? cpu.current->track : cpu.track;
    const Link link{
        LinkKind::Wakeup, from, thread.track, at, at, static_cast<std::uint32_t>(cpu.number), context, target ? target->number : NoCpu};
    if (!machine.hasSwitches()) // Store the link at once: without switches, the CPU on which the thread will run never becomes known.
        return machine.sink().link(link);
    machine.threads().wake(thread, link);
    if (from == NoTrack)
        machine.countHeldLink(cpu);
}

} // namespace

void onSchedSwitch(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu& cpu)
{
    const std::int64_t prevTid = binding[field::PrevTid].integerOr(event, -1);
    const std::int64_t nextTid = binding[field::NextTid].integerOr(event, -1);
    // Perfetto's compact switch events name only the next thread: at the first switch on a CPU, the thread that leaves is unknown.
    const bool isLeaverRecorded = binding[field::PrevTid].isValid();
    if ((isLeaverRecorded && !isTid(prevTid)) || !isTid(nextTid))
        return;
    const HostTimestamp at = event.time();
    // Ignore a repeated event: under load, perf writes some records twice.
    if (at == cpu.lastEvent && prevTid == cpu.leftTid && cpu.current && cpu.current->tid == nextTid)
        return;
    machine.sawSwitch = true;
    if (cpu.isInSoftirq) [[unlikely]]
        machine.interrupts().suspendSoftirq(at, cpu, static_cast<std::int32_t>(prevTid));
    machine.endInterrupts(at, cpu);
    if (isLeaverRecorded)
        switchOut(machine, binding, event, cpu, static_cast<std::int32_t>(prevTid));
    else
        machine.forget(at, cpu);
    cpu.current = nullptr;
    cpu.timers = {};

    Thread& next = enter(machine, binding, event, static_cast<std::int32_t>(nextTid));
    machine.interrupts().resumeSoftirq(at, cpu, next.tid);
    if (machine.isRecorded(next))
        machine.setCurrent(at, cpu, next);
    if (nextTid != 0 && cpu.leaver != NoTrack) {
        const auto where = static_cast<std::uint32_t>(cpu.number);
        machine.sink().link({LinkKind::Sched, cpu.leaver, next.track, cpu.leftAt, at, where, {}});
        cpu.leaver = NoTrack;
    }
    if (!machine.isRecorded(next))
        machine.forget(at, cpu);
    cpu.leftTid = static_cast<std::int32_t>(prevTid);
    cpu.switchedAt = at;
}

void onWakeup(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu& cpu)
{
    const std::int64_t tid = binding[field::WokenTid].integerOr(event, 0);
    if (!isTid(tid) || tid == 0)
        return;
    const HostTimestamp at = event.time();
    const std::int64_t targetCpu = binding[field::TargetCpu].integerOr(event, NoCpu);
    const Cpu* target = machine.cpu(targetCpu);
    Thread& thread = machine.touch(static_cast<std::int32_t>(tid), at);
    if (thread.comm.isEmpty())
        machine.threads().setComm(at, thread, binding[field::WokenComm].text(event));
    if (const auto priority = binding[field::WokenPriority].integer(event))
        machine.threads().setPriority(at, thread, static_cast<std::int32_t>(*priority));
    thread.hasEvents = true;
    machine.sawWakeup = true;
    const bool isWakeup = binding.kind == EventKind::SchedWaking || (binding.kind == EventKind::SchedWakeup && !machine.sawWaking);
    // Keep the state of a thread that has a CPU: it was woken while it prepared to sleep, and just continues.
    if (!thread.isOnCpu && machine.hasSwitches()) {
        if (isWakeup)
            machine.wokenAgain(at, thread);
        if (isRunnable(thread.state)) {
            KernelStateMachine::requeue(at, thread, target ? *target : cpu);
        } else {
            machine.setOffCpuState(at, thread, ThreadState::WaitCpu);
            KernelStateMachine::queue(at, thread, target ? *target : cpu);
        }
    }
    machine.sawWaking |= binding.kind == EventKind::SchedWaking;
    if (isWakeup || binding.kind == EventKind::SchedWakeupNew)
        addWaking(machine, at, cpu, target, thread, interruptOf(machine, binding, event, cpu));
    if (binding.kind == EventKind::SchedWakeup && thread.isOnCpu)
        machine.threads().finishWakeUps(thread, thread.cpu);
}

void onMigrate(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu&)
{
    const std::int64_t tid = binding[field::MigratedTid].integerOr(event, 0);
    const Cpu* from = machine.cpu(binding[field::OldCpu].integerOr(event, -1));
    const Cpu* to = machine.cpu(binding[field::NewCpu].integerOr(event, -1));
    if (!isTid(tid) || tid == 0 || !to)
        return;
    const HostTimestamp at = event.time();
    Thread& thread = machine.touch(static_cast<std::int32_t>(tid), at);
    if (thread.comm.isEmpty())
        machine.threads().setComm(at, thread, binding[field::MigratedComm].text(event));
    if (!thread.isOnCpu && isRunnable(thread.state))
        KernelStateMachine::requeue(at, thread, *to);
    if (from)
        machine.sink().link({LinkKind::Migration, from->track, to->track, at, at, static_cast<std::uint32_t>(from->number), thread.title});
}

} // namespace helio::kernel
