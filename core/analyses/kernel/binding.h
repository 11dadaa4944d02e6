#pragma once

#include "core/analyses/kernel/event_kinds.h"
#include "core/analyses/kernel/model.h"
#include "core/trace/fields/field_ref.h"

#include <array>
#include <map>
#include <utility>

namespace helio::kernel {

/// The fields that say which thread emits an event.
struct ThreadContext {
    FieldRef tid; ///< As the host numbers it...
    FieldRef pidNamespace; ///< ...where this, if it is there, says that it does.
    FieldRef pid;
    FieldRef name;
};

/// Those of the types of one trace, which outlives it: types whose contexts are laid out alike have the same, and are looked at once.
class ThreadContexts {
public:
    ThreadContext of(const EventType& type);

private:
    using Layouts = std::pair<const StructLayout*, const StructLayout*>; ///< Of the event's own, and its stream's.
    std::map<Layouts, ThreadContext> m_known;
};

class Machine;
struct Binding;

/// What the machine does at an event, and what it reads of it: bound once, so that the hot path sees offsets only.
using EventHandler = void (*)(Machine& machine, const Binding& binding, const EventView& event, Cpu& cpu);

// Indices of Binding::fields, by the kind of event.
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
enum Numbered { NumberedTid, NumberInside, NamespaceLevel, NamespaceInode };
} // namespace field

struct Binding {
    EventKind kind = EventKind::None;
    EventHandler handler = nullptr; ///< Null: nothing to do.
    const EventType* type = nullptr;
    StringId subject{}; ///< The system call's name, or the timer's.
    std::string_view label; ///< The vector's name; lives as long as the trace.
    bool isNumbered = false; ///< The event gives the system call by its number only.
    bool isCompat = false; ///< The system call's number is of the 32-bit table.
    bool isYield = false; ///< The system call is sched_yield.
    bool isHighResolution = false; ///< The timer is.
    bool isSignalReturn = false; ///< The system call is the return from a signal handler.
    bool isAfterSwitch = false; ///< It may come between sched_switch and the switch itself, when the CPU still has the thread that leaves.
    ThreadContext context;
    std::array<FieldRef, 7> fields;

    const FieldRef& operator[](std::size_t field) const { return fields[field]; }
};

// System calls that mean more than their name.
bool isYield(std::string_view call);
bool isSignalReturn(std::string_view call);

/// Finds namesCallers() out, type by type.
class NamedCallers {
public:
    explicit NamedCallers(const RecordedPart& part)
        : m_areAll(part.hasAllCpus)
    {
    }

    /// A type of events; of those of which only some were recorded the kind is None.
    void add(EventKind kind, const FieldRef& contextTid);
    bool areAll() const { return m_areAll && m_hasEntries && m_hasExits; }

private:
    bool m_areAll;
    bool m_hasEntries = false;
    bool m_hasExits = false;
};

/// Whether the entries and the exits of system calls were recorded, on all CPUs, all of them with the thread that they are of.
bool namesCallers(const Trace& trace);

/// Finds the fields; the handler is left to the machine.
Binding bind(const EventType& type, SyscallNaming naming, ThreadContexts& contexts, StateSink& sink);

} // namespace helio::kernel
