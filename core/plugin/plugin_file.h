#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace helio {

/// A file that may be a plug-in, and its current content. It is not loaded.
struct PluginFile {
    std::filesystem::path path; ///< Canonical path, without symbolic links.
    std::uint64_t size = 0; ///< Bytes.
    std::string hash; ///< SHA-256 as hex digits.
    std::string unsafeReason; ///< Reason why the file must not be loaded, because another user may have written it; empty if there is none.
};

/// Reads and hashes a file. Errors: NotFound, Unreadable. Cost: reads the whole file.
Result<PluginFile> readPluginFile(const std::filesystem::path& path);

/// Returns the files directly in the folder whose names end with .so, sorted; none if there is no such folder.
std::vector<std::filesystem::path> sharedLibrariesIn(const std::filesystem::path& folder);

/// The folders with plug-ins, and the folder with the decisions about them.
struct PluginFolders {
    std::vector<std::filesystem::path> folders; ///< Folders searched for plug-ins, the user's own first. They need not exist.
    std::filesystem::path notes; ///< Folder for decisions and crash notes; made when something is written.
};

/// Returns the places of the current user. Plug-ins are searched in $XDG_DATA_HOME/heliograph/plugins (default ~/.local/share) and in
/// lib/heliograph/plugins beside the program. Notes are in $XDG_CONFIG_HOME/heliograph/plugins (default ~/.config).
PluginFolders findPluginFolders();

/// Copies a file into sealed memory, which no process can change, and returns the path by which this process can open the copy. So the
/// loaded bytes are the checked ones, and overwriting the file while it is loaded crashes no process. The copy exists until the process
/// ends.
/// Errors: NotFound or Unreadable if the file cannot be read, Unreadable if there is no such memory, Corrupt if the file's SHA-256 is not
/// `hash`.
Result<std::filesystem::path> makeSealedCopy(const std::filesystem::path& file, const std::string& hash);

/// Returns the SHA-256 of the bytes (FIPS 180-4) as 64 lower-case hex digits, like sha256sum. Cost: a few ms per megabyte.
std::string sha256Of(std::span<const std::byte> bytes);

} // namespace helio
