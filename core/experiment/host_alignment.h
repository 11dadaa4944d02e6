#pragma once

#include "core/experiment/timeline.h"

namespace helio {

/// Decides every host's clock from what relations found and what a person said, along the path of least error to the reference, and makes
/// each trace's from it. Links are not touched: retimeLinks(). Cost: little; nothing is read again.
void alignHosts(Timeline& timeline);

/// Puts the links of relations where the clocks are now. Cost: as those links.
void retimeLinks(Timeline& timeline);

/// The place in Timeline::hosts. Nothing: there is no such host.
std::optional<std::uint32_t> hostNamed(const Timeline& timeline, std::string_view labelOrId);

} // namespace helio
