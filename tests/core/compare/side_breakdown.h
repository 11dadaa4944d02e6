#pragma once

#include "core/compare/breakdown.h"

namespace helio {

/// Returns the breakdown of the times of two sides of a comparison. Both sides use the same kind of data (states or samples): the most
/// informative kind that both sides have.
inline Breakdown breakdownOfSides(const Timeline& a, std::span<const ProcessRun> runsA, const Timeline& b,
                                  std::span<const ProcessRun> runsB)
{
    const auto [sideA, sideB] = makeSideRuns(a, runsA, b, runsB);
    return computeBreakdown(sideA, sideB);
}

} // namespace helio
