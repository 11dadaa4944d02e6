#pragma once

#include "core/compare/breakdown.h"

namespace helio {

/// Returns the ledger of two sides, on the best basis that both allow.
inline Breakdown ledgerOfSides(const Timeline& a, std::span<const ProcessRun> runsA, const Timeline& b, std::span<const ProcessRun> runsB)
{
    const auto [sideA, sideB] = makeSideRuns(a, runsA, b, runsB);
    return computeBreakdown(sideA, sideB);
}

} // namespace helio
