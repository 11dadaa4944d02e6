#pragma once

#include "core/correlation/relations.h"
#include "core/xml_analysis/catalog.h"
#include "core/xml_analysis/check.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace helio {

/// An analysis of an XML file that is for all traces of an experiment together: it runs once, over the events of all of them in the
/// experiment's order, when they are indexed. What comes out is kept in memory.
std::shared_ptr<const RelationKind> mergedAnalysis(std::shared_ptr<const xml::DeclaredKind> kind);

/// Adds those of the analyses that are for all traces of an experiment together and on. Errors: Unsupported: another relation has the id.
Status addMergedAnalyses(const std::vector<xml::ListedAnalysis>& listed, Relations& relations,
                         const std::function<bool(const xml::ListedAnalysis&)>& isOn);

/// Why an analysis has nothing to do with what is open, and how to record what it lacks, as a clause. Empty: it applies to a trace.
std::string whyNotOn(const xml::DeclaredKind& kind, const Timeline& timeline);

/// Runs it so and says what its rules did; nothing is kept. Times are the experiment's.
xml::CheckReport checkOnAll(const xml::DeclaredKind& kind, const Timeline& timeline, std::stop_token stop = {},
                            std::optional<xml::RuleTimes> times = {});

} // namespace helio
