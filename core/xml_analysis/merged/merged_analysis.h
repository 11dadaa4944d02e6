#pragma once

#include "core/correlation/correlator_registry.h"
#include "core/xml_analysis/catalog.h"
#include "core/xml_analysis/check.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace helio {

/// Makes a correlator from an XML analysis for all traces of an experiment together. It runs once, when all traces are indexed, over the
/// events of all traces in the experiment's order. The result is kept in memory.
std::shared_ptr<const Correlator> mergedAnalysis(std::shared_ptr<const xml::XmlAnalysisKind> kind);

/// Adds a correlator for each analysis that runs on all traces of an experiment together and for which `isOn` returns true.
/// Errors: Unsupported if another correlator has the same id.
Status addMergedAnalyses(const std::vector<xml::ListedAnalysis>& listed, CorrelatorRegistry& relations,
                         const std::function<bool(const xml::ListedAnalysis&)>& isOn);

/// Returns a clause that explains why an analysis applies to none of the open traces, and how to record the missing events. Empty if the
/// analysis applies to a trace, or if traces are still being opened.
std::string explainNotApplicable(const xml::XmlAnalysisKind& kind, const Timeline& timeline);

/// Runs the analysis on all traces together and returns the statistics of its rules; the output is discarded. All times are experiment
/// times.
xml::CheckReport checkMergedAnalysis(const xml::XmlAnalysisKind& kind, const Timeline& timeline, std::stop_token stop = {},
                                     std::optional<xml::FiringTimesRequest> times = {});

} // namespace helio
