#include "core/analyses/kernel/binding.h"
#include "core/analyses/kernel/kernel_state_machine.h"

namespace helio::kernel {
namespace {

/// Values of LTTng's statedump for the type and the status of a thread.
constexpr std::int64_t KernelThreadType = 1;
enum Status : std::int64_t { WaitCpu = 2, Zombie = 4, Wait = 5, Dead = 7 };

std::int32_t tidOf(const FieldRef& field, const EventView& event)
{
    const std::int64_t tid = field.integerOr(event, 0);
    return tid > 0 && tid <= 0x7fffffff ? static_cast<std::int32_t>(tid) : 0;
}

std::string_view baseName(std::string_view path)
{
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

/// Moves a thread to the row of its process's main thread, because a thread that calls exec takes over the main thread's TID.
void takeOver(KernelStateMachine& machine, HostTimestamp at, Cpu& cpu, std::int32_t oldTid, Thread& thread)
{
    Thread* former = machine.threads().find(oldTid);
    if (!former || former == &thread)
        return;
    thread.mode = former->mode;
    thread.syscall = former->syscall;
    thread.isUnrecorded = former->isUnrecorded;
    const bool wasHere = cpu.current == former;
    if (former->isOnCpu && !wasHere)
        machine.misplaced(at, *machine.cpu(former->cpu));
    machine.threads().end(at, *former);
    if (wasHere)
        machine.setCurrent(at, cpu, thread);
}

/// Sets the thread's state from a statedump if the state is still unknown.
void fillState(KernelStateMachine& machine, HostTimestamp at, Thread& thread, std::int64_t status, std::int64_t queue)
{
    const bool isKnown = thread.isOnCpu || thread.state != ThreadState::Unknown;
    if (isKnown || !machine.hasSwitches() || (status != Status::WaitCpu && status != Status::Wait))
        return;
    // If no event referred to the thread so far, the thread has been in the state of the statedump since its row began.
    const HostTimestamp from = thread.hasEvents ? at : thread.since;
    machine.threads().setState(from, thread, status == Status::Wait ? ThreadState::Waiting : ThreadState::WaitCpu);
    const Cpu* cpu = status == Status::WaitCpu ? machine.cpu(queue) : nullptr;
    thread.queue = {};
    if (cpu)
        KernelStateMachine::queue(at, thread, *cpu);
}

} // namespace

void onFork(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu& cpu)
{
    const std::int32_t childTid = tidOf(binding[field::ChildTid], event);
    const std::int32_t parentTid = tidOf(binding[field::ParentTid], event);
    if (childTid == 0 || childTid == parentTid)
        return;
    const HostTimestamp at = event.time();
    Threads& threads = machine.threads();
    if (const Thread* former = threads.find(childTid); former && former->isOnCpu)
        machine.misplaced(at, *machine.cpu(former->cpu));
    threads.markChildRecorded(parentTid, childTid);
    Thread& child = threads.start(childTid, at);
    child.hasEvents = true;
    KernelStateMachine::queue(at, child, cpu);
    threads.setComm(at, child, binding[field::ChildComm].text(event));
    if (parentTid != 0) {
        Thread& parent = machine.touch(parentTid, at);
        machine.reveal(event, cpu, parent);
        if (parent.comm.isEmpty())
            threads.setComm(at, parent, binding[field::ParentComm].text(event));
        threads.setFamily(parent, tidOf(binding[field::ParentPid], event), -1);
        // The child continues inside the system call (clone, fork) that created it, so it starts in the mode and call of its parent.
        child.mode = parent.mode;
        child.syscall = parent.syscall;
        threads.setKernelThread(child, parentTid == KernelThreadDaemon);
    }
    threads.setFamily(child, tidOf(binding[field::ChildPid], event), parentTid == 0 ? -1 : parentTid);
    if (machine.hasSwitches())
        machine.setOffCpuState(at, child, ThreadState::WaitCpu);
}

void onExec(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu& cpu)
{
    std::int32_t tid = tidOf(binding[field::ExecTid], event);
    if (tid == 0 && cpu.current)
        tid = cpu.current->tid;
    if (tid <= 0)
        return;
    const HostTimestamp at = event.time();
    Thread& thread = machine.touch(tid, at);
    thread.hasEvents = true;
    const std::int32_t oldTid = tidOf(binding[field::ExecOldTid], event);
    if (cpu.isUnseen())
        machine.reveal(event, cpu, oldTid != 0 ? machine.touch(oldTid, at) : thread);
    if (oldTid != 0 && oldTid != tid)
        takeOver(machine, at, cpu, oldTid, thread);
    machine.threads().setKernelThread(thread, false);
    machine.threads().setComm(at, thread, baseName(binding[field::ExecFile].text(event)));
    if (cpu.current == &thread)
        machine.refresh(at, cpu);
}

void onExit(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu& cpu)
{
    const std::int32_t tid = tidOf(binding[field::GoneTid], event);
    Thread* thread = tid != 0 ? &machine.touch(tid, event.time()) : cpu.current;
    if (!thread || thread->tid == 0)
        return;
    if (tid != 0)
        machine.reveal(event, cpu, *thread);
    thread->isExiting = true;
    thread->hasEvents = true;
    if (cpu.current == thread)
        machine.refresh(event.time(), cpu);
}

void onFree(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu&)
{
    const std::int32_t tid = tidOf(binding[field::GoneTid], event);
    Thread* thread = tid != 0 ? machine.threads().findAny(tid) : nullptr;
    if (!thread)
        return;
    if (thread->isFreePending) {
        thread->isFreePending = false;
        return;
    }
    if (!thread->isAlive)
        return;
    machine.touch(tid, event.time());
    if (thread->isOnCpu)
        machine.misplaced(event.time(), *machine.cpu(thread->cpu));
    machine.threads().end(event.time(), *thread);
}

void onPrioritySet(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu&)
{
    const std::int32_t tid = tidOf(binding[field::PriorityTid], event);
    const auto priority = binding[field::PriorityNew].integer(event);
    if (tid != 0 && priority)
        machine.threads().setPriority(event.time(), machine.touch(tid, event.time()), static_cast<std::int32_t>(*priority));
}

void onStatedump(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu&)
{
    const std::int32_t tid = tidOf(binding[field::DumpTid], event);
    const std::int64_t status = binding[field::DumpStatus].integerOr(event, 0);
    if (tid == 0 || status == Status::Zombie || status == Status::Dead)
        return;
    const HostTimestamp at = event.time();
    Threads& threads = machine.threads();
    Thread& thread = machine.touch(tid, at);
    if (thread.comm.isEmpty())
        threads.setComm(at, thread, binding[field::DumpName].text(event));
    const std::int64_t parent = binding[field::DumpParent].integerOr(event, -1);
    threads.setFamily(thread, tidOf(binding[field::DumpPid], event), static_cast<std::int32_t>(parent));
    if (binding[field::DumpType].integerOr(event, 0) == KernelThreadType || parent == KernelThreadDaemon)
        threads.setKernelThread(thread, true);
    fillState(machine, at, thread, status, binding[field::DumpCpu].integerOr(event, -1));
    if (thread.isOnCpu)
        machine.refresh(at, *machine.cpu(thread.cpu));
}

void onNamespaceStatedump(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu&)
{
    const std::int32_t tid = tidOf(binding[field::NumberedTid], event);
    const std::int32_t inside = tidOf(binding[field::NumberInside], event);
    const std::int64_t pidNamespace = binding[field::NamespaceInode].integerOr(event, 0);
    if (tid > 0 && inside > 0 && binding[field::NamespaceLevel].integerOr(event, 0) > 0 && pidNamespace > 0 && pidNamespace <= 0xffffffff)
        machine.threads().addNamespaceTid(machine.touch(tid, event.time()), static_cast<std::uint32_t>(pidNamespace), inside);
}

} // namespace helio::kernel
