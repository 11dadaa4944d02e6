#pragma once

#include "core/symbol/files/elf_file.h"
#include "core/symbol/symbolizer.h"
#include "core/trace/process/module.h"

#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace helio {

/// Result of a search for a file.
struct FileSearchResult {
    std::shared_ptr<const ElfFile> file; ///< File; nullptr if not found.
    SymbolProblem problem = SymbolProblem::None;
    std::string explanation; ///< With a problem: the places searched and what was found there.
};

/// Finds the files of modules, and their debug information, in the places that perf and Linux distributions use. A file with another
/// build-id than the recorded one is rejected, and the explanation says so.
///
/// Threads: any thread at once.
/// Cost: reads directories and the headers of candidates; uses the network if debuginfod is enabled.
class ModuleFiles {
public:
    explicit ModuleFiles(SymbolOptions options);

    FileSearchResult fileOf(const Module& module);
    /// Finds the debug information of `main` in another file. `recordedPath` helps to find it.
    FileSearchResult debugFileOf(const ElfFile& main, const std::string& recordedPath);
    /// Finds dwz's shared part of a debug file by the name and build-id that the file gives.
    FileSearchResult sharedDebugFileOf(const ElfFile& debugFile, const std::string& name, const std::string& buildId);

    const SymbolOptions& options() const { return m_options; }
    /// Returns the paths of files with this name in the directories of the options, in their order.
    std::vector<std::filesystem::path> named(const std::string& name);

private:
    std::vector<std::filesystem::path> candidatePaths(const Module& module);
    std::vector<std::filesystem::path> candidateDebugPaths(const ElfFile& main, const std::string& linkName,
                                                           const std::string& recordedPath);
    void indexFolder(const std::filesystem::path& folder, std::map<std::string, std::vector<std::filesystem::path>>& index) const;

    SymbolOptions m_options;
    std::mutex m_mutex;
    bool m_isIndexed = false;
    std::map<std::string, std::vector<std::filesystem::path>> m_byName; ///< Paths by file name. Guarded by m_mutex.
};

/// True if the build-ids are equal; the recorded one may be padded with zeros to perf's 20 bytes.
bool isSameBuildId(std::string_view recorded, std::string_view found);

} // namespace helio
