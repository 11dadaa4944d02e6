#pragma once

#include "core/analysis/analyses.h"
#include "core/xml_analysis/xml_analysis_kind.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace helio::xml {

/// Tells from where an analysis file comes. If several files define an analysis with the same id, the file with the first of these origins
/// wins.
enum class AnalysisOrigin : std::uint8_t {
    Given, ///< Named explicitly by the user.
    Trace, ///< In a folder `analyses` in the trace's folder or beside it.
    User,
    System,
    Builtin, ///< Compiled into the program.
};
std::string_view wordOf(AnalysisOrigin origin); ///< Returns the word for an origin, e.g. "user".
/// True if analyses of this origin run on every trace that they apply to. Analyses of System and Builtin run only on request.
constexpr bool runsByDefault(AnalysisOrigin origin) { return origin != AnalysisOrigin::System && origin != AnalysisOrigin::Builtin; }

/// An XML file of analyses: its text and what was read from it.
struct AnalysisFile {
    std::filesystem::path path; ///< Only the file name if `origin` is Builtin.
    AnalysisOrigin origin = AnalysisOrigin::User;
    std::string text;
    File content; ///< Parsed text. Its problems say why the file cannot be used, or that it cannot be opened.
};

/// Reads and parses an analysis file. Errors become problems of AnalysisFile::content.
/// Cost: reads the file, at most MostBytes of it.
AnalysisFile readAnalysisFile(const std::filesystem::path& path, AnalysisOrigin origin);

/// A folder that is searched for *.xml files.
struct AnalysisFolder {
    std::filesystem::path path;
    AnalysisOrigin origin = AnalysisOrigin::User;
};
/// Returns $XDG_DATA_HOME/heliograph/analyses ($HOME/.local/share if XDG_DATA_HOME is not set). The folder is not created.
std::filesystem::path userAnalysisFolder();
/// Returns the folders to search: `analyses` in the folder of each trace and beside it, then the user's folder, then the system's folders
/// ($XDG_DATA_DIRS/heliograph/analyses).
std::vector<AnalysisFolder> analysisFolders(const std::vector<std::filesystem::path>& traces);

/// Returns the built-in files, then the files of the folders, each folder sorted by file name.
std::vector<AnalysisFile> findAnalysisFiles(const std::vector<AnalysisFolder>& folders);

/// Returns the files in `given`, then those that findAnalysisFiles() finds. A file that is reached by several paths is returned once.
std::vector<AnalysisFile> readAnalysisFiles(const std::vector<std::filesystem::path>& given, const std::vector<AnalysisFolder>& folders);

/// An analysis of a file, and whether it is used.
struct ListedAnalysis {
    std::string id;
    std::string label;
    bool isPattern = false;
    std::size_t file = 0; ///< Index into the list of files.
    std::shared_ptr<const XmlAnalysisKind> kind; ///< nullptr if the analysis is not used.
    std::string whyNot; ///< Why the analysis is not used, e.g. because another analysis has its id; empty if it is used.
    /// Differences from what the file says, e.g. that a view has another id because a built-in view has its own.
    std::vector<std::string> notes{};
};

/// Lists the analyses of all usable files, each with the views and call stacks of any file that name it. An analysis is not used if its id
/// belongs to an analysis or view in `builtin`, to built-in segments or to an analysis of a file with a higher priority.
std::vector<ListedAnalysis> listAnalyses(const std::vector<AnalysisFile>& files, const Analyses& builtin);

/// Adds the analyses that are used to `analyses`, except those for all traces of an experiment together. An analysis for which `isOn`
/// returns false is added, but does not run.
void addAnalyses(
    const std::vector<ListedAnalysis>& listed, Analyses& analyses,
    const std::function<bool(const ListedAnalysis&)>& isOn = [](const ListedAnalysis&) { return true; });

/// Name and text of a built-in file. Generated from resources/analyses.
struct BuiltinFile {
    std::string_view name;
    std::string_view text;
};
std::span<const BuiltinFile> builtinFiles();

/// Returns a template for new analysis files: explained line by line, for kernel traces. Its ids begin with TemplateId.
std::string_view templateText();
constexpr std::string_view TemplateId = "my-analysis";
/// Returns the template with `id` in place of TemplateId. Requires: `id` consists of letters, digits, "-", "_" and ".".
std::string newAnalysisText(std::string_view id);

} // namespace helio::xml
