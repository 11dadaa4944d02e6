#pragma once

#include "core/analyses/kernel/event_kinds.h"
#include "core/analyses/kernel/model.h"
#include "core/trace/fields/field_ref.h"

#include <array>
#include <map>
#include <utility>

namespace helio::kernel {

class KernelStateMachine;
struct Binding;

/// Fields of an event that identify the thread which emitted the event.
struct ThreadContext {
    /// Host TID of the thread. If `pidNamespace` is valid, the value is the host TID only for events in the initial namespace.
    FieldRef tid;
    FieldRef pidNamespace; ///< Field with the inode number of the PID namespace in which `tid` is valid.
    FieldRef pid;
    FieldRef name;
};

/// Finds the thread contexts of event types. Event types with the same context layout share one ThreadContext, which is determined once.
///
/// Ownership: the caller keeps the trace of the event types alive longer than the object.
class ThreadContexts {
public:
    ThreadContext of(const EventType& type);

private:
    /// Layouts of the event's own context and of its stream's event context.
    using Layouts = std::pair<const StructLayout*, const StructLayout*>;
    std::map<Layouts, ThreadContext> m_known;
};

/// Handler of an event. The Binding contains everything that depends on the event type, so that handlers only read fields at known offsets.
using EventHandler = void (*)(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu& cpu);

// Indices into Binding::fields, for each kind of event.
namespace field {
enum Switch { PrevTid, PrevComm, PrevPriority, PrevState, NextTid, NextComm, NextPriority };
enum Wakeup { WokenTid, WokenComm, WokenPriority, TargetCpu, WakerFlags };
enum Migrate { MigratedTid, MigratedComm, OldCpu, NewCpu };
enum Fork { ParentTid, ParentPid, ParentComm, ChildTid, ChildPid, ChildComm };
enum Exec { ExecTid, ExecOldTid, ExecFile };
enum Gone { GoneTid };
enum Priority { PriorityTid, PriorityNew };
enum Syscall { SyscallNumber };
enum Interrupt { InterruptNumber, InterruptName };
enum Frequency { FrequencyKHz, FrequencyCpu };
enum Statedump { DumpTid, DumpPid, DumpParent, DumpName, DumpType, DumpStatus, DumpCpu };
enum Task { TaskTid, TaskComm, TaskState, TaskPriority, TaskIsIdle };
enum Numbered { NumberedTid, NumberInside, NamespaceLevel, NamespaceInode };
} // namespace field

struct Binding {
    EventKind kind = EventKind::None;
    EventHandler handler = nullptr; ///< Handler for events of this type; nullptr if they need no handling.
    const EventType* type = nullptr;
    StringId subject{}; ///< Name of the system call, or kind of the timer; empty if neither, or if the event has the name in a field.
    std::string_view label; ///< Name of the interrupt vector; lives as long as the trace.
    bool isNumbered = false; ///< True if the event identifies the system call by number only.
    bool isCompat = false; ///< True if the system call is 32-bit (compat), so that its number is from the kernel's table of 32-bit calls.
    bool isYield = false; ///< True if the system call is sched_yield.
    bool isHighResolution = false; ///< True if the timer is an hrtimer.
    bool isSignalReturn = false; ///< True if the system call is the return from a signal handler.
    /// True if the event may occur after the sched_switch event but before the actual switch, while the leaving thread is still on the CPU.
    bool isAfterSwitch = false;
    ThreadContext context;
    std::array<FieldRef, 7> fields;

    const FieldRef& operator[](std::size_t field) const { return fields[field]; }
};

// Return true for the names of sched_yield, or of system calls that return from a signal handler.
bool isYield(std::string_view call);
bool isSignalReturn(std::string_view call);

/// Determines the result of namesCallers(): whether all entries and exits of system calls are recorded, with the TIDs of their threads.
/// Call add() for each event type of the trace, and then areAll().
class NamedCallers {
public:
    explicit NamedCallers(const RecordingScope& part)
        : m_areAll(part.hasAllCpus)
    {
    }

    /// Adds an event type. `kind`: None if only samples of the type's events were recorded. `contextTid`: field with the thread's TID; not
    /// valid if the events do not contain a TID.
    void add(EventKind kind, const FieldRef& contextTid);
    bool areAll() const { return m_areAll && m_hasEntries && m_hasExits; }

private:
    bool m_areAll;
    bool m_hasEntries = false;
    bool m_hasExits = false;
};

/// Returns true if all entries and exits of system calls were recorded, on all CPUs, with the TIDs of their threads.
bool namesCallers(const Trace& trace);

/// Finds the fields of an event type. The handler is set by the state machine.
Binding bind(const EventType& type, SyscallNaming naming, ThreadContexts& contexts, StateSink& sink);

// Handlers of events; the parameters are those of EventHandler. Each handler updates the states of `machine` from one event on `cpu`.

void onSchedSwitch(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu& cpu);
void onWakeup(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu& cpu);
void onMigrate(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu& cpu);
void onTaskState(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu& cpu);

void onFork(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu& cpu);
void onExec(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu& cpu);
void onExit(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu& cpu);
void onFree(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu& cpu);
void onPrioritySet(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu& cpu);
void onStatedump(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu& cpu);
void onNamespaceStatedump(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu& cpu);

void onSyscallEntry(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu& cpu);
void onSyscallExit(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu& cpu);
void onPageFault(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu& cpu);

void onOther(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu& cpu);

void onInterruptEntry(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu& cpu);
void onInterruptExit(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu& cpu);
void onTimer(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu& cpu);
void onSoftirqRaise(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu& cpu);
void onFrequency(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu& cpu);

} // namespace helio::kernel
