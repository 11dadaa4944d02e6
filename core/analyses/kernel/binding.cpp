#include "core/analyses/kernel/binding.h"

#include <initializer_list>

namespace helio::kernel {
namespace {

using Names = std::initializer_list<std::string_view>;

FieldRef firstOf(const EventType& type, Section section, Names names)
{
    for (const std::string_view name : names) {
        FieldRef field(type, section, name);
        if (field.isValid())
            return field;
    }
    return {};
}

FieldRef payload(const EventType& type, Names names) { return firstOf(type, Section::Payload, names); }

FieldRef context(const EventType& type, Names names)
{
    FieldRef field = firstOf(type, Section::EventContext, names);
    return field.isValid() ? field : firstOf(type, Section::StreamContext, names);
}

void bindFork(Binding& b, const EventType& type)
{
    // ftrace and perf call a tid "pid", and tell no process.
    const bool hasTids = payload(type, {"child_tid"}).isValid();
    b.fields[field::ParentTid] = payload(type, {"parent_tid", "parent_pid", "pid"});
    b.fields[field::ParentComm] = payload(type, {"parent_comm", "comm"});
    b.fields[field::ChildTid] = payload(type, {"child_tid", "child_pid"});
    b.fields[field::ChildComm] = payload(type, {"child_comm"});
    if (hasTids) {
        b.fields[field::ParentPid] = payload(type, {"parent_pid"});
        b.fields[field::ChildPid] = payload(type, {"child_pid"});
    }
}

void bindFields(Binding& b, const EventType& type)
{
    auto set = [&](std::size_t index, Names names) { b.fields[index] = payload(type, names); };
    switch (b.kind) {
    case EventKind::SchedSwitch:
        set(field::PrevTid, {"prev_tid", "prev_pid"});
        set(field::PrevComm, {"prev_comm"});
        set(field::PrevPriority, {"prev_prio"});
        set(field::PrevState, {"prev_state"});
        set(field::NextTid, {"next_tid", "next_pid"});
        set(field::NextComm, {"next_comm"});
        set(field::NextPriority, {"next_prio"});
        break;
    case EventKind::SchedWaking:
    case EventKind::SchedWakeup:
    case EventKind::SchedWakeupNew:
        set(field::WokenTid, {"tid", "pid"});
        set(field::WokenComm, {"comm"});
        set(field::WokenPriority, {"prio"});
        set(field::TargetCpu, {"target_cpu"});
        break;
    case EventKind::SchedMigrate:
        set(field::MigratedTid, {"tid", "pid"});
        set(field::MigratedComm, {"comm"});
        set(field::OldCpu, {"orig_cpu"});
        set(field::NewCpu, {"dest_cpu"});
        break;
    case EventKind::ProcessFork: bindFork(b, type); break;
    case EventKind::ProcessExec:
        set(field::ExecTid, {"tid", "pid"});
        set(field::ExecOldTid, {"old_tid", "old_pid"});
        set(field::ExecFile, {"filename"});
        break;
    case EventKind::ProcessExit:
    case EventKind::ProcessFree: set(field::GoneTid, {"tid", "pid"}); break;
    case EventKind::PrioritySet:
        set(field::PriorityTid, {"tid", "pid"});
        set(field::PriorityNew, {"newprio"});
        break;
    case EventKind::SyscallEntry: set(field::SyscallNumber, {"id", "nr", "__syscall_nr"}); break;
    case EventKind::IrqEntry:
    case EventKind::IrqExit:
        set(field::InterruptNumber, {"irq"});
        set(field::InterruptName, {"name"});
        break;
    case EventKind::SoftirqRaise:
    case EventKind::SoftirqEntry:
    case EventKind::SoftirqExit: set(field::InterruptNumber, {"vec"}); break;
    case EventKind::VectorEntry:
    case EventKind::VectorExit: set(field::InterruptNumber, {"vector"}); break;
    case EventKind::CpuFrequency:
        set(field::FrequencyKHz, {"state"});
        set(field::FrequencyCpu, {"cpu_id"});
        break;
    case EventKind::ProcessStatedump:
        set(field::DumpTid, {"tid"});
        set(field::DumpPid, {"pid"});
        set(field::DumpParent, {"ppid"});
        set(field::DumpName, {"name"});
        set(field::DumpType, {"type"});
        set(field::DumpStatus, {"status"});
        set(field::DumpCpu, {"cpu"});
        break;
    case EventKind::SyscallExit:
    case EventKind::PageFaultEntry:
    case EventKind::PageFaultExit:
    case EventKind::None: break;
    }
}

} // namespace

Binding bind(const EventType& type, SyscallNaming naming, StateSink& sink)
{
    Binding b;
    const NamedKind named = kindOf(type.name, naming);
    b.kind = named.kind;
    if (b.kind == EventKind::None)
        return b;
    b.contextTid = context(type, {"tid", "perf_tid", "common_pid"});
    b.contextPid = context(type, {"pid", "perf_pid"});
    bindFields(b, type);
    b.label = named.subject;
    b.isNumbered = b.kind == EventKind::SyscallEntry && named.subject.empty();
    if (b.kind == EventKind::SyscallEntry && !named.subject.empty()) {
        b.subject = sink.string(named.subject);
        b.isYield = named.subject == "sched_yield";
        b.isReturnless = named.subject == "rt_sigreturn" || named.subject == "sigreturn";
        b.fields[field::SyscallNumber] = named.subject == "unknown" ? b.fields[field::SyscallNumber] : FieldRef();
    }
    return b;
}

} // namespace helio::kernel
