#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace helio {

/// The folders below which a server opens traces.
class ServedFolders {
public:
    /// Resolves the folders.
    /// Errors: NotFound if a folder does not exist or is no folder.
    static Result<ServedFolders> make(const std::vector<std::filesystem::path>& folders);

    /// Resolves a path that a client named; a relative path is below the first folder.
    /// Errors: Usage if the path, or a symbolic link in it, leads out of the folders, whether or not the file exists; NotFound if there is
    /// no such file.
    Result<std::filesystem::path> resolve(const std::string& given) const;

    const std::vector<std::filesystem::path>& all() const { return m_folders; } ///< Returns the resolved folders, at least one.

private:
    bool contain(const std::filesystem::path& resolved) const;
    Status checkLinks(const std::filesystem::path& folder) const;

    std::vector<std::filesystem::path> m_folders;
};

} // namespace helio
