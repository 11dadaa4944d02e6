#pragma once

#include "core/declared/catalog.h"
#include "core/declared/check.h"
#include "core/relation/relations.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace helio {

/// An analysis of an XML file that is for all traces of an experiment together: it runs once, over the events of all of them in the
/// experiment's order, when they are indexed. What comes out is kept in memory.
std::shared_ptr<const RelationKind> mergedAnalysis(std::shared_ptr<const declared::DeclaredKind> kind);

/// Adds those of the analyses that are for all traces of an experiment together and on. Errors: Unsupported: another relation has the id.
Status addMergedAnalyses(const std::vector<declared::ListedAnalysis>& listed, Relations& relations,
                         const std::function<bool(const declared::ListedAnalysis&)>& isOn);

/// Why an analysis has nothing to do with what is open, and how to record what it lacks, as a clause. Empty: it applies to a trace.
std::string whyNotOn(const declared::DeclaredKind& kind, const Timeline& timeline);

/// Runs it so and says what its rules did; nothing is kept. Times are the experiment's.
declared::CheckReport checkOnAll(const declared::DeclaredKind& kind, const Timeline& timeline, std::stop_token stop = {},
                                 std::optional<declared::RuleTimes> times = {});

} // namespace helio
