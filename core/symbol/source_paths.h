#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace helio {

/// Mapping from source paths in a recording to files on this machine, which the user can edit.
struct SourcePaths {
    struct PathMapping {
        std::string recorded; ///< Folder prefix as the compiler wrote it, for example "/build/app".
        std::filesystem::path local; ///< Folder on this machine; its path replaces the prefix `recorded`.
        bool operator==(const PathMapping&) const = default;
    };

    std::vector<PathMapping> mappings; ///< Prefix mappings, tried in this order; the first one that leads to an existing file is used.
    /// Folders to search: the recorded path is shortened from the front until a file with this path exists below a folder.
    std::vector<std::filesystem::path> directories;

    bool operator==(const SourcePaths&) const = default;

    struct Found {
        std::filesystem::path file; ///< Path of the file; empty if not found.
        std::vector<std::filesystem::path> looked; ///< Paths that were tried, in this order.
    };

    /// Finds a file by its recorded path: first through `mappings`, then at the recorded path itself, then in `directories`.
    /// Threads: reads directories; must not be called on the UI thread.
    Found find(const std::string& recorded) const;
    /// Returns the prefix mapping that leads from `recorded` to `local`, a file that the user chose. The longest common suffix is removed
    /// from both paths: "/build/src/a.c" and "/home/me/src/a.c" give "/build" and "/home/me".
    static PathMapping mappingFor(const std::string& recorded, const std::filesystem::path& local);
};

} // namespace helio
