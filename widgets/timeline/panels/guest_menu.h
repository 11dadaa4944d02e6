#pragma once

#include <cstdint>

class QMenu;

namespace helio {

class ViewContext;
struct Machine;
struct Timeline;

/// Adds to a host's menu whose guest it is, and which threads run its CPUs, for a person to choose. Nothing where there is no other host;
/// what is added goes again where no other host turns out to run virtual machines. The choice is a step of ViewContext::clocks(). The
/// context outlives the menu. Cost: little; what there is to choose from comes once it is known (GuestChoices).
void addGuestMenu(QMenu& menu, ViewContext& context, std::uint32_t host);

/// What choosing the machine there does. Both are of the timeline.
void chooseMachine(ViewContext& context, const Timeline& timeline, std::uint32_t guest, const Machine& machine);

} // namespace helio
