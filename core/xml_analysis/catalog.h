#pragma once

#include "core/analysis/analyses.h"
#include "core/xml_analysis/declared_kind.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace helio::xml {

/// Where a file of analyses was found. Where several have an analysis of one id, what stands first here wins.
enum class Origin : std::uint8_t {
    Given, ///< A person named it.
    Trace, ///< In a folder beside the trace.
    User,
    System,
    Builtin, ///< Compiled in.
};
std::string_view wordOf(Origin origin); ///< "user"
/// Whether analyses found there run wherever they apply; those that came with the program or the system run only where they are asked for.
constexpr bool runUnasked(Origin origin) { return origin != Origin::System && origin != Origin::Builtin; }

/// A file of analyses as it was read.
struct AnalysisFile {
    std::filesystem::path path; ///< Of built-in ones the name alone.
    Origin origin = Origin::User;
    std::string text;
    File content; ///< Its problems say why it is of no use, also where it cannot be opened.
};

/// Cost: reads the file, at most MostBytes of it.
AnalysisFile readAnalysisFile(const std::filesystem::path& path, Origin origin);

/// Folders that files *.xml are looked for in.
struct AnalysisFolder {
    std::filesystem::path path;
    Origin origin = Origin::User;
};
/// $XDG_DATA_HOME/heliograph/analyses; nothing is made.
std::filesystem::path userAnalysisFolder();
/// The user's, the system's ($XDG_DATA_DIRS/heliograph/analyses), and `analyses` in the folder of each trace and beside it.
std::vector<AnalysisFolder> analysisFolders(const std::vector<std::filesystem::path>& traces);

/// The files that are compiled in, then those of the folders, each folder in the order of the names.
std::vector<AnalysisFile> findAnalysisFiles(const std::vector<AnalysisFolder>& folders);

/// Those that a person named, then the same; a file counts once, however it is named.
std::vector<AnalysisFile> readAnalysisFiles(const std::vector<std::filesystem::path>& given, const std::vector<AnalysisFolder>& folders);

/// One analysis of a file.
struct ListedAnalysis {
    std::string id;
    std::string label;
    bool isPattern = false;
    std::size_t file = 0; ///< Index in the files.
    std::shared_ptr<const DeclaredKind> kind; ///< Null: it is not used;
    std::string whyNot; ///< as another one has its id...
    std::vector<std::string> notes{}; ///< Of what is used otherwise than its file says: a view that has another id here.
};

/// The analyses of all usable files, each with the views of any file that name it. Ids of `builtin` are not given to others.
std::vector<ListedAnalysis> listAnalyses(const std::vector<AnalysisFile>& files, const Analyses& builtin);

/// Adds those that are used, but for those that are for all traces of an experiment together. `isOn`: whether one runs where it applies;
/// one that is off is known, but does not run.
void addAnalyses(
    const std::vector<ListedAnalysis>& listed, Analyses& analyses,
    const std::function<bool(const ListedAnalysis&)>& isOn = [](const ListedAnalysis&) { return true; });

/// Files that are compiled in: name and text. Generated from resources/analyses.
struct BuiltinFile {
    std::string_view name;
    std::string_view text;
};
std::span<const BuiltinFile> builtinFiles();

/// A file of analyses for who writes one: explained line by line, about any kernel's trace. Its ids begin with TemplateId.
std::string_view templateText();
constexpr std::string_view TemplateId = "my-analysis";
/// The same as a file whose ids begin with another name. Requires: letters, digits, "-", "_" and "." alone.
std::string newAnalysisText(std::string_view id);

} // namespace helio::xml
