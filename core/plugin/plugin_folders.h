#pragma once

#include <filesystem>
#include <vector>

namespace helio {

/// The folders with plug-ins, and the folder with the decisions about them.
struct PluginFolders {
    std::vector<std::filesystem::path> folders; ///< Folders searched for plug-ins, the user's own first. They need not exist.
    std::filesystem::path notes; ///< Folder for decisions and crash notes; made when something is written.
};

/// Returns the places of the current user. Plug-ins are searched in $XDG_DATA_HOME/heliograph/plugins (default ~/.local/share) and in
/// lib/heliograph/plugins beside the program. Notes are in $XDG_CONFIG_HOME/heliograph/plugins (default ~/.config).
PluginFolders findPluginFolders();

} // namespace helio
