#pragma once

#include "core/base/embedded_file.h"
#include "core/base/result.h"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace helio::sql {

/// Returns the modules of the program: the files of resources/sql.
std::span<const EmbeddedFile> builtinModules();

/// The modules that INCLUDE PERFETTO MODULE finds: those of the program, and files in folders of the user.
///
/// The module a.b.c is the file a/b/c.sql of a folder. Files that lie outside of the folder, e.g. behind a symbolic link, are not read.
class ModuleLibrary {
public:
    static constexpr std::size_t MostBytes = 1u << 20; ///< Largest size of a module in bytes.
    static constexpr std::size_t MostModules = 10'000; ///< Largest number of modules that a pattern finds.

    /// Adds a folder. Of modules with the same name, one of the program is found first, then one of the folder that was added first.
    /// Errors: NotFound if there is no such folder.
    Status addFolder(const std::filesystem::path& folder);

    /// Returns the text of a module.
    /// Errors: NotFound if there is no such module; Unreadable if its file cannot be read, is too large, or lies outside of the folder.
    Result<std::string> read(const std::string& name) const;

    /// Returns the sorted names of the modules that a pattern names: a name, a begin of names followed by "*", or "*".
    /// Cost: for patterns with "*" and for all names, looks at each file of the folders.
    std::vector<std::string> find(std::string_view pattern) const;

private:
    std::vector<std::filesystem::path> m_folders; ///< Canonical paths.
};

} // namespace helio::sql
