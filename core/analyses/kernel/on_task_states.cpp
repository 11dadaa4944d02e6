// Handling of the event "task_state", the new state of a thread in a kernel other than Linux. Such kernels report each thread by itself
// instead of context switches and wake-ups. Only the state "running" tells a CPU.
#include "core/analyses/kernel/kernel_state_machine.h"

#include <optional>

namespace helio::kernel {
namespace {

/// Returns the state of a thread off CPU; Running for the state "running"; nullopt if the thread has ended.
std::optional<ThreadState> stateFrom(std::string_view name)
{
    if (name == "running")
        return ThreadState::Running;
    if (name == "runnable")
        return ThreadState::WaitCpu;
    if (name == "interruptible sleep")
        return ThreadState::Sleeping;
    if (name == "uninterruptible sleep")
        return ThreadState::Blocked;
    if (name == "stopped")
        return ThreadState::Stopped;
    if (name == "dead" || name == "destroyed")
        return {};
    return name == "created" ? ThreadState::Waiting : ThreadState::Unknown;
}

void takeOff(HostTimestamp at, Cpu& cpu, Thread& thread)
{
    thread.isOnCpu = false;
    thread.cpu = -1;
    thread.placed = at;
    if (thread.process)
        thread.process->lastSwitch = at;
    cpu.leaver = thread.track;
    cpu.leftAt = at;
}

void switchTo(KernelStateMachine& machine, HostTimestamp at, Cpu& cpu, Thread& thread)
{
    if (cpu.current == &thread)
        return;
    machine.sawSwitch = true;
    if (Thread* const former = cpu.current; former && former->tid > 0) {
        // The event with the former thread's new state comes later, or is missing.
        takeOff(at, cpu, *former);
        machine.setOffCpuState(at, *former, ThreadState::Unknown);
    }
    machine.setCurrent(at, cpu, thread);
    if (thread.tid != 0 && cpu.leaver != NoTrack)
        machine.sink().link({LinkKind::Sched, cpu.leaver, thread.track, cpu.leftAt, at, static_cast<std::uint32_t>(cpu.number), {}});
    if (thread.tid != 0)
        cpu.leaver = NoTrack;
    cpu.switchedAt = at;
}

} // namespace

void onTaskState(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu& cpu)
{
    const std::int64_t tid = binding[field::TaskTid].integerOr(event, -1);
    if (tid < 0 || tid > 0x7fffffff)
        return;
    const HostTimestamp at = event.time();
    const auto state = stateFrom(binding[field::TaskState].text(event));
    const bool isRunning = state == ThreadState::Running;
    if (tid == 0 || binding[field::TaskIsIdle].integerOr(event, 0) != 0) {
        if (isRunning && event.cpu() >= 0)
            switchTo(machine, at, cpu, machine.threads().idle());
        return;
    }
    // The state "destroyed" follows "dead": the thread has already ended.
    if (!state && !machine.threads().find(static_cast<std::int32_t>(tid)))
        return;
    Thread& thread = machine.touch(static_cast<std::int32_t>(tid), at);
    thread.hasEvents = true;
    machine.threads().takeComm(thread, binding[field::TaskComm], event);
    if (const auto priority = binding[field::TaskPriority].integer(event))
        machine.threads().setPriority(at, thread, static_cast<std::int32_t>(*priority));
    if (isRunning && event.cpu() >= 0)
        return switchTo(machine, at, cpu, thread);
    const bool wasOnCpu = thread.isOnCpu;
    if (wasOnCpu) {
        Cpu& left = *machine.cpu(thread.cpu);
        takeOff(at, left, thread);
        // The CPU is idle until an event shows its next thread, which usually has the same time.
        left.current = nullptr;
        machine.setCurrent(at, left, machine.threads().idle());
    }
    if (!state)
        return machine.threads().end(at, thread);
    // The event of the thread that replaced it may come first.
    const bool isPreempted = (wasOnCpu || thread.placed == at) && state == ThreadState::WaitCpu;
    machine.setOffCpuState(at, thread, isPreempted ? ThreadState::Preempted : isRunning ? ThreadState::Unknown : *state);
}

} // namespace helio::kernel
