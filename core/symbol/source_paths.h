#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace helio {

/// Where the source files of a recording lie on this machine. A value that a person edits.
struct SourcePaths {
    struct PathMapping {
        std::string recorded; ///< A prefix of folders as the compiler wrote it: "/build/app".
        std::filesystem::path local; ///< What stands for it here.
        bool operator==(const PathMapping&) const = default;
    };

    std::vector<PathMapping> mappings; ///< The first that fits and leads to a file is taken.
    std::vector<std::filesystem::path> directories; ///< Searched by the longest part of the recorded path that exists below one.

    bool operator==(const SourcePaths&) const = default;

    struct Found {
        std::filesystem::path file; ///< Empty: not found.
        std::vector<std::filesystem::path> looked; ///< Where it was looked for, in that order.
    };

    /// Finds a file by its recorded path: by the mappings, at the path itself, then in the directories. Reads directories; not for the UI's
    /// thread.
    Found find(const std::string& recorded) const;
    /// The mapping that would have found `recorded` at `local`, after a person showed where it is: both without what they have in common at
    /// their ends.
    static PathMapping mappingFor(const std::string& recorded, const std::filesystem::path& local);
};

} // namespace helio
