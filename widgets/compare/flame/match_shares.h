#pragma once

#include "core/compare/tree_difference.h"
#include "widgets/flame/frame/flame_search.h"

#include <QString>

namespace helio {

/// Share of the frames found by a search on both sides, e.g. "12.0 % of A, 34.1 % of B".
QString matchShares(const DifferenceTree& tree, const FunctionMatcher& matches);

} // namespace helio
