#pragma once

#include "core/declared/check.h"
#include "core/relation/relation.h"

#include <memory>
#include <string>

namespace helio {

/// An analysis of an XML file that is for all traces of an experiment together: it runs once, over the events of all of them in the
/// experiment's order, when they are indexed. What comes out is kept in memory.
std::shared_ptr<const RelationKind> mergedAnalysis(std::shared_ptr<const declared::DeclaredKind> kind);

/// Runs it so and says what its rules did; nothing is kept. Times are the experiment's.
declared::CheckReport checkOnAll(const declared::DeclaredKind& kind, const Timeline& timeline, std::stop_token stop = {},
                                 std::optional<declared::RuleTimes> times = {});

} // namespace helio
