#pragma once

#include "core/symbol/files/elf_file.h"
#include "core/symbol/symbolizer.h"
#include "core/trace/process/module.h"

#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace helio {

/// What came of looking for a file.
struct FoundFile {
    std::shared_ptr<const ElfFile> file; ///< Null: none.
    SymbolProblem problem = SymbolProblem::None;
    std::string explanation; ///< Where was looked and what was found there; with a problem.
};

/// Finds the files of modules, and their debug information, in the places that perf and the distributions use. A file whose build-id
/// differs from the recorded one is refused, and said.
///
/// Threads: any at once.
/// Cost:    reads directories and the headers of candidates; with debuginfod the network, where the person agreed to it.
class ModuleFiles {
public:
    explicit ModuleFiles(SymbolOptions options);

    FoundFile fileOf(const Module& module);
    /// Where the debug information of `main` lies, if not in itself. `recordedPath` helps to find it.
    FoundFile debugFileOf(const ElfFile& main, const std::string& recordedPath);
    /// dwz's shared part of a debug file, by the name and build-id that the file gives.
    FoundFile sharedDebugFileOf(const ElfFile& debugFile, const std::string& name, const std::string& buildId);

    const SymbolOptions& options() const { return m_options; }
    /// The paths of files so named in the folders of the options; first come, first served.
    std::vector<std::filesystem::path> named(const std::string& name);

private:
    std::vector<std::filesystem::path> placesOf(const Module& module);
    std::vector<std::filesystem::path> debugPlacesOf(const ElfFile& main, const std::string& linkName, const std::string& recordedPath);
    void indexFolder(const std::filesystem::path& folder, std::map<std::string, std::vector<std::filesystem::path>>& index) const;

    SymbolOptions m_options;
    std::mutex m_mutex;
    bool m_isIndexed = false;
    std::map<std::string, std::vector<std::filesystem::path>> m_byName; ///< Guarded by m_mutex.
};

/// The recorded build-id may be padded with zeros to perf's 20 bytes.
bool isSameBuildId(std::string_view recorded, std::string_view found);

} // namespace helio
