#pragma once

#include "core/analyses/kernel/binding.h"

namespace helio::kernel {

// Handlers for the kinds of events; see EventHandler.

void onSchedSwitch(Machine& machine, const Binding& binding, const EventView& event, Cpu& cpu);
void onWakeup(Machine& machine, const Binding& binding, const EventView& event, Cpu& cpu);
void onMigrate(Machine& machine, const Binding& binding, const EventView& event, Cpu& cpu);

void onFork(Machine& machine, const Binding& binding, const EventView& event, Cpu& cpu);
void onExec(Machine& machine, const Binding& binding, const EventView& event, Cpu& cpu);
void onExit(Machine& machine, const Binding& binding, const EventView& event, Cpu& cpu);
void onFree(Machine& machine, const Binding& binding, const EventView& event, Cpu& cpu);
void onPrioritySet(Machine& machine, const Binding& binding, const EventView& event, Cpu& cpu);
void onStatedump(Machine& machine, const Binding& binding, const EventView& event, Cpu& cpu);
void onNamespaceStatedump(Machine& machine, const Binding& binding, const EventView& event, Cpu& cpu);

void onSyscallEntry(Machine& machine, const Binding& binding, const EventView& event, Cpu& cpu);
void onSyscallExit(Machine& machine, const Binding& binding, const EventView& event, Cpu& cpu);
void onPageFault(Machine& machine, const Binding& binding, const EventView& event, Cpu& cpu);

void onOther(Machine& machine, const Binding& binding, const EventView& event, Cpu& cpu);

void onInterruptEntry(Machine& machine, const Binding& binding, const EventView& event, Cpu& cpu);
void onInterruptExit(Machine& machine, const Binding& binding, const EventView& event, Cpu& cpu);
void onTimer(Machine& machine, const Binding& binding, const EventView& event, Cpu& cpu);
void onSoftirqRaise(Machine& machine, const Binding& binding, const EventView& event, Cpu& cpu);
void onFrequency(Machine& machine, const Binding& binding, const EventView& event, Cpu& cpu);

} // namespace helio::kernel
