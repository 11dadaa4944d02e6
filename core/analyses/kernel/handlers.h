#pragma once

#include "core/analyses/kernel/binding.h"

namespace helio::kernel {

// Handlers for the kinds of events; see EventHandler.

void onSchedSwitch(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu& cpu);
void onWakeup(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu& cpu);
void onMigrate(KernelStateMachine& machine, const Binding& binding, const EventView& event, Cpu& cpu);

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
