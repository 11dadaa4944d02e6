#include "core/plugin/plugin_folders.h"

#include <cstdlib>
#include <string_view>
#include <system_error>

namespace helio {

namespace fs = std::filesystem;

namespace {

/// Returns an XDG base directory. As the specification says, relative paths are ignored.
fs::path userFolder(const char* variable, std::string_view otherwise)
{
    if (const char* set = std::getenv(variable); set && set[0] == '/')
        return set;
    const char* home = std::getenv("HOME");
    return fs::path(home && *home ? home : "/nonexistent") / otherwise;
}

} // namespace

PluginFolders findPluginFolders()
{
    PluginFolders places;
    places.folders.push_back(userFolder("XDG_DATA_HOME", ".local/share") / "heliograph" / "plugins");
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    if (!error)
        places.folders.push_back((program.parent_path() / "../lib/heliograph/plugins").lexically_normal());
    places.notes = userFolder("XDG_CONFIG_HOME", ".config") / "heliograph" / "plugins";
    return places;
}

} // namespace helio
