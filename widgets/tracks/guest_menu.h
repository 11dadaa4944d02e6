#pragma once

#include <cstdint>

class QMenu;

namespace helio {

class ViewContext;

/// Adds to a host's menu whose guest it is, and which threads run its CPUs, for a person to choose. Nothing where there is no other host;
/// what is added goes again where no other host turns out to run virtual machines. The choice is a step of ViewContext::clocks(). The
/// context outlives the menu. Cost: little; what there is to choose from comes once it is known (GuestChoices).
void addGuestMenu(QMenu& menu, ViewContext& context, std::uint32_t host);

} // namespace helio
