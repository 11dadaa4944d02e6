#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace helio {

/// A file that may be a plug-in, with its current content; not loaded.
struct PluginFile {
    std::filesystem::path path; ///< Canonical path of the file, without symbolic links.
    std::uint64_t size = 0; ///< Size of the file in bytes.
    std::string hash; ///< SHA-256 of the file as hex digits.
    /// Reason why another user may have written the file, so that it must not be loaded; empty if the file is safe.
    std::string unsafeReason;
};

/// Reads and hashes a file.
/// Errors: NotFound, Unreadable.
/// Cost: reads the whole file.
Result<PluginFile> readPluginFile(const std::filesystem::path& path);

/// Returns the files directly in the folder with names that end with .so, sorted; empty if the folder does not exist.
std::vector<std::filesystem::path> sharedLibrariesIn(const std::filesystem::path& folder);

/// Folders that contain plug-ins, and the folder for decisions about plug-ins.
struct PluginFolders {
    /// Folders in which plug-ins are searched, the user's own folder first. The folders need not exist.
    std::vector<std::filesystem::path> folders;
    std::filesystem::path notes; ///< Folder for decisions and crash notes; created when the first note is written.
};

/// Returns the plug-in folders of the current user. Plug-ins are searched in $XDG_DATA_HOME/heliograph/plugins (default ~/.local/share) and
/// in lib/heliograph/plugins beside the program. Notes are in $XDG_CONFIG_HOME/heliograph/plugins (default ~/.config).
PluginFolders findPluginFolders();

/// Copies a file into sealed memory, which no process can change, and returns the path by which this process can open the copy.
/// Therefore, the loaded bytes are the bytes that were checked, and no process crashes if the file is overwritten while it is loaded.
/// The copy exists until the process ends.
/// Errors: NotFound or Unreadable if the file cannot be read, Unreadable if no sealed memory can be created, Corrupt if the file's
/// SHA-256 is not `hash`.
Result<std::filesystem::path> makeSealedCopy(const std::filesystem::path& file, const std::string& hash);

/// Returns the SHA-256 of the bytes (FIPS 180-4) as 64 lower-case hex digits, like sha256sum. Cost: a few ms per megabyte.
std::string sha256Of(std::span<const std::byte> bytes);

} // namespace helio
