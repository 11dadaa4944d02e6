#pragma once

#include "core/compare/causes.h"
#include "core/compare/process_runs.h"

#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace helio {

/// A part of the time, and what it was in A and in B. Durations are those of one run: the mean where a side has several.
struct LedgerLine {
    StateKind state;
    std::string detail; ///< The system call, the fault, the interrupt; empty where the state has none.
    Duration a{};
    Duration b{};

    Duration difference() const { return b - a; }
};

/// Breakdown of the time of a program in A and in B. The lines add up to `a` and `b` exactly, and their differences to `b` - `a`.
struct Ledger {
    std::vector<LedgerLine> lines; ///< The largest difference first, whatever its sign.
    LedgerBasis basis = LedgerBasis::FirstThread;
    Duration a{}; ///< Time of one run, as the basis has it.
    Duration b{};
    Duration wallA{}; ///< Wall time of one run: `a` unless the basis is CPU time.
    Duration wallB{};
    std::uint32_t runsA = 0;
    std::uint32_t runsB = 0;
    bool areAtOnce = false; ///< The runs of each side were there at one time, all of them.

    /// Where one side ran the program once and the other N times at once: the single run's wall time in those of the N. 1: they did not
    /// disturb each other.
    std::optional<double> efficiency() const;
};

/// Of what so many runs on each side spent their time on. Empty where a side has no runs.
Ledger ledgerOf(Causes a, std::size_t runsA, Causes b, std::size_t runsB);

/// Empty where a side has no runs. Requires: both sides have one basis, as sidesOf() gives them.
Ledger whySlower(const SideRuns& a, const SideRuns& b, std::stop_token stop = {});

} // namespace helio
