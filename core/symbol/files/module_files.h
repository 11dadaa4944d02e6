#pragma once

#include "core/symbol/files/elf_file.h"
#include "core/symbol/symbolizer.h"
#include "core/trace/process/module.h"

#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace helio {

struct FileSearchResult {
    std::shared_ptr<const ElfFile> file; ///< The file; nullptr if it was not found.
    SymbolProblem problem = SymbolProblem::None;
    std::string explanation; ///< Places that were searched and files that were found there, if there is a problem.
};

/// Returns the folders beside the recordings in which files are searched by build-id; see SymbolOptions::recordings.
std::vector<std::filesystem::path> foldersBeside(const std::vector<std::filesystem::path>& recordings);

/// Finds the files of modules and their debug information in the places that perf and Linux distributions use. A file whose build-id
/// differs from the recorded one is rejected and mentioned in the explanation.
///
/// Threads: any thread at once.
/// Cost: reads directories and the headers of candidates; uses the network if debuginfod is enabled.
class ModuleFiles {
public:
    explicit ModuleFiles(SymbolOptions options);

    FileSearchResult fileOf(const Module& module);
    /// Finds the separate file that contains the debug information of `main`. `recordedPath` gives additional places to search.
    FileSearchResult debugFileOf(const ElfFile& main, const std::string& recordedPath);
    /// Finds the shared file of dwz that a debug file refers to by name and build-id.
    FileSearchResult sharedDebugFileOf(const ElfFile& debugFile, const std::string& name, const std::string& buildId);

    const SymbolOptions& options() const { return m_options; }
    /// Returns the paths of the files beside the recordings (SymbolOptions::recordings) that were found so far, sorted.
    std::vector<std::filesystem::path> usedBesideRecordings();
    /// Returns the paths of files with this name in SymbolOptions::directories, in the order of the directories.
    std::vector<std::filesystem::path> named(const std::string& name);

private:
    /// Paths of ELF files with one build-id, in the order of the directories.
    struct Identified {
        std::vector<std::filesystem::path> complete; ///< Paths of files with code and a symbol table.
        std::vector<std::filesystem::path> stripped; ///< Paths of files with code, but without a symbol table.
        std::vector<std::filesystem::path> debugOnly; ///< Paths of files that contain only debug information.
    };

    /// Returns the files in SymbolOptions::directories that have the given build-id, whatever their names.
    Identified identified(const std::string& buildId);
    /// Returns the files beside the recordings that have a recorded build-id, whatever their names.
    Identified besideRecordings(const std::string& buildId);
    static void identify(const std::filesystem::path& path, std::map<std::string, Identified>& byBuildId);
    static Identified withAnyId(const std::map<std::string, Identified>& byBuildId, const std::vector<std::string>& ids);
    void indexNames();
    void indexRecordings();
    FileSearchResult found(std::shared_ptr<const ElfFile> file);
    std::vector<std::filesystem::path> candidatePaths(const Module& module);
    std::vector<std::filesystem::path> candidateDebugPaths(const ElfFile& main, const std::string& linkName,
                                                           const std::string& recordedPath);
    void indexFolder(const std::filesystem::path& folder);

    SymbolOptions m_options;
    std::mutex m_mutex;
    bool m_isIndexed = false;
    std::map<std::string, std::vector<std::filesystem::path>> m_byName; ///< Paths by file name. Guarded by m_mutex.
    std::vector<std::filesystem::path> m_files; ///< All paths in m_byName, in the order of the directories. Guarded by m_mutex.
    std::map<std::string, Identified> m_byBuildId; ///< Files by their build-id. Guarded by m_mutex.
    bool m_isIdentified = false; ///< True if m_byBuildId is filled. Guarded by m_mutex.
    const std::vector<std::filesystem::path> m_besideFolders; ///< Folders beside the recordings; see SymbolOptions::recordings.
    std::map<std::string, Identified> m_beside; ///< Files in m_besideFolders by build-id. Guarded by m_mutex.
    bool m_isBesideIndexed = false; ///< True if m_beside is filled. Guarded by m_mutex.
    std::mutex m_usedMutex; ///< Guards m_used. Not m_mutex, which is held while folders are read.
    std::map<std::filesystem::path, bool> m_used; ///< Paths that besideRecordings() returned; true if the file is used.
};

/// True if the build-ids are equal. The recorded build-id may be padded with zeros to 20 bytes, as perf pads it.
bool isSameBuildId(std::string_view recorded, std::string_view found);

} // namespace helio
