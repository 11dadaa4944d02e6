#pragma once

#include "app/cli/selection/open_experiment.h"
#include "core/analysis/analyses.h"
#include "core/xml_analysis/catalog.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// XML analysis files found for the traces, with the analyses in them. Files that the user named come first.
struct FoundAnalyses {
    std::vector<xml::AnalysisFile> files;
    std::vector<xml::ListedAnalysis> listed;
};
FoundAnalyses findAnalyses(const std::vector<std::filesystem::path>& traces, const ReadingOptions& reading);

/// True if the analysis runs on every trace to which it applies. False for analyses that come with the program or the system, which run
/// only on request.
bool isRunByDefault(const FoundAnalyses& found, const xml::ListedAnalysis& analysis);

/// Sets the analyses with which traces are opened: built-in analyses, analyses of plug-ins, and analyses of XML files that are found or
/// named. XML analyses that come with the program or the system are only included if requested.
/// Errors: Unreadable if a file that the user named cannot be used; the text lists every fault, one per line.
Status chooseAnalyses(const std::vector<std::filesystem::path>& traces, const ReadingOptions& reading, const OpeningOptions& opening,
                      ExperimentOptions& experiment);

/// Analyses that run only on request, for the error message when the user requests something that does not exist.
struct RequestableAnalyses {
    std::vector<std::string> patterns; ///< Ids of patterns, which are also the ids of their kinds of segments.
    std::vector<std::string> views;
    std::string whyNot; ///< Reason why the requested pattern or view is empty for these traces; empty if no analysis has that id.
};
RequestableAnalyses findRequestableAnalyses(const std::vector<std::filesystem::path>& traces, const ReadingOptions& reading,
                                            const Timeline& timeline, std::string_view asked);

} // namespace helio
