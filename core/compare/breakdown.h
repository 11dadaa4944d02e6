#pragma once

#include "core/compare/causes.h"
#include "core/compare/process_runs.h"

#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace helio {

/// A part of the time in A and in B. Durations are those of one run, or the mean if a side has several runs.
struct BreakdownLine {
    StateKind state;
    std::string detail; ///< System call, fault or interrupt; empty if the state has none.
    Duration a{};
    Duration b{};

    Duration difference() const { return b - a; }
};

/// The time of a program in A and in B, broken down by state and detail. The lines add up to `a` and `b` exactly, and their differences to
/// `b` - `a`.
struct Breakdown {
    std::vector<BreakdownLine> lines; ///< Largest difference first, whatever its sign.
    BreakdownBasis basis = BreakdownBasis::FirstThread;
    Duration a{}; ///< Time of one run, in the quantity of `basis`.
    Duration b{};
    Duration wallA{}; ///< Wall time of one run; equal to `a` unless the basis is CPU time.
    Duration wallB{};
    std::uint32_t runsA = 0;
    std::uint32_t runsB = 0;
    bool areAtOnce = false; ///< True if, on each side, all runs were there at one time.

    /// Returns the wall time of one run alone divided by the wall time of one of N runs at once, if one side has a single run and the other
    /// one N runs at once; else nothing. 1: the runs did not disturb each other.
    std::optional<double> efficiency() const;
};

/// Returns the breakdown of the mean time of one run, from the causes of all runs of each side. Empty if a side has no runs.
Breakdown makeBreakdown(TimesByCause a, std::size_t runsA, TimesByCause b, std::size_t runsB);

/// Returns the breakdown of the time of both sides. Empty if a side has no runs. Requires: both sides have the same basis, as from
/// makeSideRuns().
Breakdown computeBreakdown(const SideRuns& a, const SideRuns& b, std::stop_token stop = {});

} // namespace helio
