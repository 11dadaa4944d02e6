#pragma once

#include <cstdint>

class QMenu;

namespace helio {

class ViewContext;

/// Adds to a host's menu whose guest it is, and which threads run its CPUs, for a person to choose. Nothing where no other host runs
/// virtual machines. The choice is a step of ViewContext::clocks(). The context outlives the menu. Cost: of machinesOf().
void addGuestMenu(QMenu& menu, ViewContext& context, std::uint32_t host);

} // namespace helio
