#pragma once

#include "app/cli/selection/open_experiment.h"
#include "core/analysis/analyses.h"
#include "core/xml_analysis/catalog.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// The XML files of analyses that are there for some traces, those that a person named first, and what is in them.
struct FoundAnalyses {
    std::vector<xml::AnalysisFile> files;
    std::vector<xml::ListedAnalysis> listed;
};
FoundAnalyses findAnalyses(const std::vector<std::filesystem::path>& traces, const ReadingOptions& reading);

/// Whether an analysis runs wherever it applies; else only where it is asked for: what came with the program or the system.
bool runsUnasked(const FoundAnalyses& found, const xml::ListedAnalysis& analysis);

/// Sets the analyses that traces are opened with: those of the program and of plug-ins, and those of the XML files that are found or named.
/// What came with the program or the system runs only where it is wanted. Errors: Unreadable: a file that a person named is of no use;
/// every fault is in the text, a line each.
Status chooseAnalyses(const std::vector<std::filesystem::path>& traces, const ReadingOptions& reading, const OpeningOptions& opening,
                      ExperimentOptions& experiment);

/// What can be asked for although it does not run by itself, where something was asked for that is not there.
struct AskableAnalyses {
    std::vector<std::string> patterns; ///< Ids, which are those of their segments.
    std::vector<std::string> views;
    std::string whyNot; ///< Why the pattern or view asked for shows nothing here; empty: there is none of that id.
};
AskableAnalyses askableAnalyses(const std::vector<std::filesystem::path>& traces, const ReadingOptions& reading, const Timeline& timeline,
                                std::string_view asked);

} // namespace helio
