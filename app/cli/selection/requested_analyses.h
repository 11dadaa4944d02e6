#pragma once

#include "app/cli/selection/open_experiment.h"
#include "core/analysis/analyses.h"
#include "core/xml_analysis/catalog.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// XML analysis files found for some traces, the files that the user named first, and the analyses in them.
struct FoundAnalyses {
    std::vector<xml::AnalysisFile> files;
    std::vector<xml::ListedAnalysis> listed;
};
FoundAnalyses findAnalyses(const std::vector<std::filesystem::path>& traces, const ReadingOptions& reading);

/// True if the analysis runs on every trace that it applies to. Analyses that come with the program or the system run only on request.
bool isRunByDefault(const FoundAnalyses& found, const xml::ListedAnalysis& analysis);

/// Sets the analyses that traces are opened with: the analyses of the program, of plug-ins, and of the XML files that are found or named.
/// Analyses that come with the program or the system run only if they are requested.
/// Errors: Unreadable if a file that the user named cannot be used; the text lists every fault, one per line.
Status chooseAnalyses(const std::vector<std::filesystem::path>& traces, const ReadingOptions& reading, const OpeningOptions& opening,
                      ExperimentOptions& experiment);

/// Analyses that do not run by themselves but can be requested. Used for the message when the user requests something that does not exist.
struct RequestableAnalyses {
    std::vector<std::string> patterns; ///< Ids of patterns, which are also the ids of their segments.
    std::vector<std::string> views;
    std::string whyNot; ///< Why the requested pattern or view shows nothing here; empty if no analysis has that id.
};
RequestableAnalyses findRequestableAnalyses(const std::vector<std::filesystem::path>& traces, const ReadingOptions& reading,
                                            const Timeline& timeline, std::string_view asked);

} // namespace helio
