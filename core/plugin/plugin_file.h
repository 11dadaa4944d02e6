#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace helio {

/// A file that may be a plug-in, as it lies there now. It was not loaded for that.
struct PluginFile {
    std::filesystem::path path; ///< Without symbolic links.
    std::uint64_t size = 0; ///< Bytes.
    std::string hash; ///< SHA-256 in hex digits.
    std::string danger; ///< Why nobody may load it: others than its user could have written it. Empty: nothing.
};

/// Errors: NotFound, Unreadable. Cost: reads all of it.
Result<PluginFile> readPluginFile(const std::filesystem::path& path);

/// The files that end in .so right in the folder, sorted; none where there is no such folder.
std::vector<std::filesystem::path> sharedLibrariesIn(const std::filesystem::path& folder);

} // namespace helio
