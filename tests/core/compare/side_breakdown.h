#pragma once

#include "core/compare/breakdown.h"

namespace helio {

/// Returns the breakdown of two sides. Both sides have the same basis: the most informative basis that is possible for both sides.
inline Breakdown breakdownOfSides(const Timeline& a, std::span<const ProcessRun> runsA, const Timeline& b,
                                  std::span<const ProcessRun> runsB)
{
    const auto [sideA, sideB] = makeSideRuns(a, runsA, b, runsB);
    return computeBreakdown(sideA, sideB);
}

} // namespace helio
