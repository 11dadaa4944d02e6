#pragma once

#include "core/compare/causes.h"
#include "core/compare/process_runs.h"

#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace helio {

/// One line of a breakdown: the time in A and in B that was spent in one state with one detail. `a` and `b` are times of one run; the mean
/// if a side has several runs.
struct BreakdownLine {
    StateKind state;
    std::string detail; ///< System call, fault or interrupt; empty if the state has no detail.
    Duration a{};
    Duration b{};

    Duration difference() const { return b - a; }
};

/// Comparison of a program's time in A and in B, broken down by state and detail. The times of the lines add up exactly to `a` and `b`, and
/// the differences of the lines to `b` - `a`.
struct Breakdown {
    std::vector<BreakdownLine> lines; ///< Lines of the breakdown, in order of decreasing absolute difference.
    BreakdownBasis basis = BreakdownBasis::FirstThread;
    Duration a{}; ///< Time of one run of A: wall time or CPU time, depending on `basis`.
    Duration b{};
    Duration wallA{}; ///< Wall time of one run of A; equal to `a` unless `basis` is a CPU time.
    Duration wallB{};
    std::uint32_t runsA = 0;
    std::uint32_t runsB = 0;
    bool areAtOnce = false; ///< True if, on each side, all runs existed at the same time.

    /// Returns how well N simultaneous runs share the machine: the wall time of a run alone, divided by the wall time of one of N
    /// simultaneous runs. 1 means that the runs did not disturb each other. nullopt unless one side has a single run and the other side has
    /// N simultaneous runs. Also nullopt if the single run took longer, because the runs then did not do the same work.
    std::optional<double> efficiency() const;
};

/// Returns the breakdown of the mean time of a run on each side. Inputs are the causes' times, summed over all runs of a side, and the
/// number of runs. Empty if a side has no runs.
Breakdown makeBreakdown(TimesByCause a, std::size_t runsA, TimesByCause b, std::size_t runsB);

/// Returns the breakdown of both sides' times. Empty if a side has no runs. Requires: both sides have the same basis, e.g. from
/// makeSideRuns().
Breakdown computeBreakdown(const SideRuns& a, const SideRuns& b, std::stop_token stop = {});

} // namespace helio
