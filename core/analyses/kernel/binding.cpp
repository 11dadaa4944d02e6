#include "core/analyses/kernel/binding.h"

#include "core/trace/trace.h"

namespace helio::kernel {
namespace {

void bindFork(Binding& b, const EventType& type)
{
    // True for LTTng, whose fields distinguish TIDs and PIDs. In ftrace and perf, a field named "pid" is a TID, and no field is a PID.
    const bool hasTids = payloadField(type, {"child_tid"}).isValid();
    b.fields[field::ParentTid] = payloadField(type, {"parent_tid", "parent_pid", "pid"});
    b.fields[field::ParentComm] = payloadField(type, {"parent_comm", "comm"});
    b.fields[field::ChildTid] = payloadField(type, {"child_tid", "child_pid"});
    b.fields[field::ChildComm] = payloadField(type, {"child_comm"});
    if (hasTids) {
        b.fields[field::ParentPid] = payloadField(type, {"parent_pid"});
        b.fields[field::ChildPid] = payloadField(type, {"child_pid"});
    }
}

/// Name of a field in LTTng, and the name of the same field in other tracers.
struct FieldName {
    EventKind kind;
    std::size_t field;
    std::string_view name;
    std::string_view otherName = {};
};

constexpr FieldName FieldNames[] = {
    {EventKind::SchedSwitch, field::PrevTid, "prev_tid", "prev_pid"},
    {EventKind::SchedSwitch, field::PrevComm, "prev_comm"},
    {EventKind::SchedSwitch, field::PrevPriority, "prev_prio"},
    {EventKind::SchedSwitch, field::PrevState, "prev_state"},
    {EventKind::SchedSwitch, field::NextTid, "next_tid", "next_pid"},
    {EventKind::SchedSwitch, field::NextComm, "next_comm"},
    {EventKind::SchedSwitch, field::NextPriority, "next_prio"},
    {EventKind::SchedWaking, field::WokenTid, "tid", "pid"},
    {EventKind::SchedWaking, field::WokenComm, "comm"},
    {EventKind::SchedWaking, field::WokenPriority, "prio"},
    {EventKind::SchedWaking, field::TargetCpu, "target_cpu"},
    {EventKind::SchedWaking, field::WakerFlags, "common_flags"},
    {EventKind::SchedWakeup, field::WokenTid, "tid", "pid"},
    {EventKind::SchedWakeup, field::WokenComm, "comm"},
    {EventKind::SchedWakeup, field::WokenPriority, "prio"},
    {EventKind::SchedWakeup, field::TargetCpu, "target_cpu"},
    {EventKind::SchedWakeup, field::WakerFlags, "common_flags"},
    {EventKind::SchedWakeupNew, field::WokenTid, "tid", "pid"},
    {EventKind::SchedWakeupNew, field::WokenComm, "comm"},
    {EventKind::SchedWakeupNew, field::WokenPriority, "prio"},
    {EventKind::SchedWakeupNew, field::TargetCpu, "target_cpu"},
    {EventKind::SchedWakeupNew, field::WakerFlags, "common_flags"},
    {EventKind::SchedMigrate, field::MigratedTid, "tid", "pid"},
    {EventKind::SchedMigrate, field::MigratedComm, "comm"},
    {EventKind::SchedMigrate, field::OldCpu, "orig_cpu"},
    {EventKind::SchedMigrate, field::NewCpu, "dest_cpu"},
    {EventKind::ProcessExec, field::ExecTid, "tid", "pid"},
    {EventKind::ProcessExec, field::ExecOldTid, "old_tid", "old_pid"},
    {EventKind::ProcessExec, field::ExecFile, "filename"},
    {EventKind::ProcessExit, field::GoneTid, "tid", "pid"},
    {EventKind::ProcessFree, field::GoneTid, "tid", "pid"},
    {EventKind::PrioritySet, field::PriorityTid, "tid", "pid"},
    {EventKind::PrioritySet, field::PriorityNew, "newprio"},
    {EventKind::SyscallEntry, field::SyscallNumber, "id", "nr"},
    {EventKind::SyscallExit, field::SyscallNumber, "id", "nr"},
    {EventKind::IrqEntry, field::InterruptNumber, "irq"},
    {EventKind::IrqEntry, field::InterruptName, "name"},
    {EventKind::IrqExit, field::InterruptNumber, "irq"},
    {EventKind::SoftirqRaise, field::InterruptNumber, "vec"},
    {EventKind::SoftirqEntry, field::InterruptNumber, "vec"},
    {EventKind::SoftirqExit, field::InterruptNumber, "vec"},
    {EventKind::VectorEntry, field::InterruptNumber, "vector"},
    {EventKind::VectorExit, field::InterruptNumber, "vector"},
    {EventKind::CpuFrequency, field::FrequencyKHz, "state"},
    {EventKind::CpuFrequency, field::FrequencyCpu, "cpu_id"},
    {EventKind::ProcessStatedump, field::DumpTid, "tid"},
    {EventKind::ProcessStatedump, field::DumpPid, "pid"},
    {EventKind::ProcessStatedump, field::DumpParent, "ppid"},
    {EventKind::ProcessStatedump, field::DumpName, "name"},
    {EventKind::ProcessStatedump, field::DumpType, "type"},
    {EventKind::ProcessStatedump, field::DumpStatus, "status"},
    {EventKind::ProcessStatedump, field::DumpCpu, "cpu"},
    {EventKind::TaskState, field::TaskTid, "tid"},
    {EventKind::TaskState, field::TaskComm, "comm"},
    {EventKind::TaskState, field::TaskState, "state"},
    {EventKind::TaskState, field::TaskPriority, "prio"},
    {EventKind::TaskState, field::TaskIsIdle, "idle"},
    {EventKind::NamespaceStatedump, field::NumberedTid, "tid"},
    {EventKind::NamespaceStatedump, field::NumberInside, "vtid"},
    {EventKind::NamespaceStatedump, field::NamespaceLevel, "ns_level"},
    {EventKind::NamespaceStatedump, field::NamespaceInode, "ns_inum"},
};

void bindFields(Binding& b, const EventType& type)
{
    for (const FieldName& field : FieldNames) {
        if (field.kind == b.kind)
            b.fields[field.field] = payloadField(type, {field.name, field.otherName});
    }
    if (b.kind == EventKind::ProcessFork)
        bindFork(b, type);
}

/// Finds the thread context of an event type. A vtid is a TID in the PID namespace of its thread; it is used only if the context also
/// contains the namespace.
ThreadContext contextIn(const EventType& type)
{
    ThreadContext context{contextField(type, {"tid", "perf_tid", "common_pid"}),
                          {},
                          contextField(type, {"pid", "perf_pid"}),
                          contextField(type, {"procname", "perf_comm"})};
    if (context.tid.isValid())
        return context;
    context.pidNamespace = contextField(type, {"pid_ns"});
    if (context.pidNamespace.isValid()) {
        context.tid = contextField(type, {"vtid"});
        context.pid = contextField(type, {"vpid"});
    }
    return context;
}

/// Sets the system call of a binding. LTTng names calls that it does not know "unknown"; such calls are identified by number.
void bindCall(Binding& b, std::string_view name, StateSink& sink)
{
    b.isNumbered = name.empty() || name == "unknown";
    b.isCompat = b.type->name.starts_with("compat_");
    if (b.isNumbered)
        return;
    b.subject = sink.string(name);
    b.isYield = isYield(name);
    b.isSignalReturn = isSignalReturn(name);
    b.fields[field::SyscallNumber] = FieldRef();
}

} // namespace

bool isYield(std::string_view call) { return call == "sched_yield"; }

bool isSignalReturn(std::string_view call) { return call == "rt_sigreturn" || call == "sigreturn"; }

void NamedCallers::add(EventKind kind, const FieldRef& contextTid)
{
    if (kind != EventKind::SyscallEntry && kind != EventKind::SyscallExit)
        return;
    m_areAll = m_areAll && contextTid.isValid();
    (kind == EventKind::SyscallEntry ? m_hasEntries : m_hasExits) = true;
}

ThreadContext ThreadContexts::of(const EventType& type)
{
    const auto [place, isNew] = m_known.try_emplace({type.layout(Section::EventContext), type.layout(Section::StreamContext)});
    if (isNew)
        place->second = contextIn(type);
    // perf's conversion to CTF puts the context of events into their payload.
    FieldRef perfTid = payloadField(type, {"perf_tid"});
    if (!perfTid.isValid())
        return place->second;
    return {std::move(perfTid), {}, payloadField(type, {"perf_pid"}), place->second.name};
}

bool namesCallers(const Trace& trace)
{
    const SyscallNaming naming = syscallNaming(trace);
    ThreadContexts contexts;
    NamedCallers callers(trace.info().part);
    std::uint32_t number = 0;
    for (const auto& type : trace.eventTypes()) {
        if (isSampled(trace, EventTypeId{number++}))
            continue;
        callers.add(kindOf(type->name, naming).kind, contexts.of(*type).tid);
    }
    return callers.areAll();
}

Binding bind(const EventType& type, SyscallNaming naming, ThreadContexts& contexts, StateSink& sink)
{
    Binding b;
    b.type = &type;
    const NamedKind named = kindOf(type.name, naming);
    b.kind = named.kind;
    b.context = contexts.of(type);
    // Between the sched_switch event and the actual switch, the run queue is locked and interrupts are off. Therefore events that the state
    // machine handles, and other scheduler events, cannot occur there. Events of tlb, msr and x86_fpu can occur there, and so can samples
    // taken in an NMI.
    b.isAfterSwitch = b.kind == EventKind::None && !type.name.starts_with("sched");
    if (b.kind == EventKind::None)
        return b;
    bindFields(b, type);
    if (b.kind == EventKind::TaskState)
        b.context = {}; // The thread in the context is the thread of the event; it need not be on the CPU.
    b.label = named.subject;
    if (b.kind == EventKind::TimerEntry || b.kind == EventKind::TimerExit) {
        b.subject = sink.string(named.subject);
        b.isHighResolution = named.subject == "hrtimer";
    }
    if (b.kind == EventKind::SyscallEntry || b.kind == EventKind::SyscallExit)
        bindCall(b, named.subject, sink);
    return b;
}

} // namespace helio::kernel
