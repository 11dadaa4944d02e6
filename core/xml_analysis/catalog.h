#pragma once

#include "core/analysis/analyses.h"
#include "core/base/embedded_file.h"
#include "core/xml_analysis/xml_analysis_kind.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace helio::xml {

/// Origin of an analysis file, in descending priority. If several files define an analysis with the same id, the file with the first of
/// these origins is used.
enum class AnalysisOrigin : std::uint8_t {
    Given, ///< Named explicitly by the user, for example on the command line.
    Trace, ///< In a folder `analyses` in the trace's folder or next to it.
    User,
    System,
    Builtin, ///< Compiled into the program.
};
std::string_view wordOf(AnalysisOrigin origin); ///< Returns the word for an origin, for example "user".
/// True if analyses of this origin run on every trace that they apply to. Analyses of System and Builtin run only on request.
constexpr bool runsByDefault(AnalysisOrigin origin) { return origin != AnalysisOrigin::System && origin != AnalysisOrigin::Builtin; }

/// An XML file of analyses: its text and the parsed content.
struct AnalysisFile {
    std::filesystem::path path; ///< Path of the file; only the file name if `origin` is Builtin.
    AnalysisOrigin origin = AnalysisOrigin::User;
    std::string text;
    File content; ///< Parsed text. Its problems explain why the file cannot be opened or used.
};

/// Reads and parses an analysis file. Failures are reported as problems in AnalysisFile::content.
/// Cost: reads at most MostBytes bytes of the file.
AnalysisFile readAnalysisFile(const std::filesystem::path& path, AnalysisOrigin origin);

/// A folder that is searched for *.xml files.
struct AnalysisFolder {
    std::filesystem::path path;
    AnalysisOrigin origin = AnalysisOrigin::User;
};
/// Returns $XDG_DATA_HOME/heliograph/analyses ($HOME/.local/share if XDG_DATA_HOME is not set). The folder is not created.
std::filesystem::path userAnalysisFolder();
/// Returns the folders to search: `analyses` in the folder of each trace and next to it, then the user's folder, then the system's folders
/// ($XDG_DATA_DIRS/heliograph/analyses).
std::vector<AnalysisFolder> analysisFolders(const std::vector<std::filesystem::path>& traces);

/// Returns the built-in files, then the files of each folder, sorted by file name within a folder.
std::vector<AnalysisFile> findAnalysisFiles(const std::vector<AnalysisFolder>& folders);

/// Returns the files in `given`, then the files that findAnalysisFiles() returns. A file that is reached by several paths is returned once.
std::vector<AnalysisFile> readAnalysisFiles(const std::vector<std::filesystem::path>& given, const std::vector<AnalysisFolder>& folders);

/// An analysis from a file. Says whether the analysis is used and, if not, why.
struct ListedAnalysis {
    std::string id;
    std::string label;
    bool isPattern = false;
    std::size_t file = 0; ///< Index of the analysis's file in the list of files.
    std::shared_ptr<const XmlAnalysisKind> kind; ///< The analysis; nullptr if it is not used.
    /// Reason why the analysis is not used, for example that another analysis has the same id; empty if the analysis is used.
    std::string whyNot;
    /// Notes for the user about differences between the analysis and its file, for example that a view was renamed because a built-in view
    /// has the same id.
    std::vector<std::string> notes{};
};

/// Lists the analyses of all files without errors. An analysis has the views and call stacks of all files that refer to it. It is not used
/// if its id already belongs to an analysis or view in `builtin`, to built-in segments, or to an analysis of a file with a higher priority.
std::vector<ListedAnalysis> listAnalyses(const std::vector<AnalysisFile>& files, const Analyses& builtin);

/// Adds the analyses that are used to `analyses`, except those that run on all traces of an experiment together. An analysis for which
/// `isOn` returns false is added, but does not run.
void addAnalyses(
    const std::vector<ListedAnalysis>& listed, Analyses& analyses,
    const std::function<bool(const ListedAnalysis&)>& isOn = [](const ListedAnalysis&) { return true; });

/// Returns the analysis files of the program: resources/analyses.
std::span<const EmbeddedFile> builtinFiles();
std::span<const EmbeddedFile> templateFiles(); ///< Returns the single file of resources/analyses/template.

/// Returns a template for new analysis files of kernel traces, with an explanation of each line. Its ids begin with TemplateId.
std::string_view templateText();
constexpr std::string_view TemplateId = "my-analysis";
/// Returns the template with `id` in place of TemplateId. Requires: `id` consists of letters, digits, "-", "_" and ".".
std::string newAnalysisText(std::string_view id);

} // namespace helio::xml
