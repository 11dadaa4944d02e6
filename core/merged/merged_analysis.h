#pragma once

#include "core/declared/declared_kind.h"
#include "core/relation/relation.h"

#include <memory>
#include <string>

namespace helio {

/// An analysis of an XML file that is for all traces of an experiment together: it runs once, over the events of all of them in the
/// experiment's order, when they are indexed. What comes out is kept in memory.
std::shared_ptr<const RelationKind> mergedAnalysis(std::shared_ptr<const declared::DeclaredKind> kind);

} // namespace helio
