#pragma once

#include <filesystem>
#include <vector>

namespace helio {

/// Where plug-ins lie, and where is kept what was decided of them.
struct PluginPlaces {
    std::vector<std::filesystem::path> folders; ///< The user's own first. Not all need to be there.
    std::filesystem::path notes; ///< A folder; made when something is written.
};

/// The user's own, $XDG_DATA_HOME/heliograph/plugins (~/.local/share), and the one beside the program, lib/heliograph/plugins; notes in
/// $XDG_CONFIG_HOME/heliograph/plugins (~/.config).
PluginPlaces usersPluginPlaces();

} // namespace helio
