#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
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

} // namespace helio
