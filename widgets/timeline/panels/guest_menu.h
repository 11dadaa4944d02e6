#pragma once

#include <cstdint>

class QMenu;

namespace helio {

class ViewContext;
struct VirtualMachine;
struct Timeline;

/// Adds submenus to a host's menu in which the user chooses the virtual machine whose guest the host is, and the threads of its vCPUs. Does
/// nothing if there is only one host; the submenu is hidden again if no other host runs virtual machines. Each choice can be undone, by
/// ViewContext::clocks().
/// Cost: little; the choices are computed by GuestChoices and added when they are known.
/// Ownership: the context outlives the menu.
void addGuestMenu(QMenu& menu, ViewContext& context, std::uint32_t host);

/// Makes `guest` the guest of `machine`, like the menu does. Both belong to the timeline.
void setGuestMachine(ViewContext& context, const Timeline& timeline, std::uint32_t guest, const VirtualMachine& machine);

} // namespace helio
