#pragma once

#include "core/compare/causes.h"
#include "core/compare/process_runs.h"

#include <optional>
#include <span>
#include <stop_token>

namespace helio {

/// A part of the time, and what it was in A and in B. Durations are those of one run: the mean where a side has several.
struct LedgerLine {
    StateKind state;
    std::string detail; ///< The system call, the fault, the interrupt; empty where the state has none.
    Duration a{};
    Duration b{};

    Duration difference() const { return b - a; }
};

/// Where the wall time of a program went, in A and in B. The lines add up to `a` and `b` exactly, hence their differences to the
/// difference.
struct Ledger {
    std::vector<LedgerLine> lines; ///< The largest difference first, whatever its sign.
    Duration a{}; ///< Wall time of one run.
    Duration b{};
    std::uint32_t runsA = 0;
    std::uint32_t runsB = 0;
    bool areAtOnce = false;         ///< The runs of each side were there at one time, all of them.

    /// Where one side ran the program once and the other N times at once: the single run's wall time in those of the N. 1: they did not
    /// disturb each other.
    std::optional<double> efficiency() const;
};

/// Of what so many runs on each side spent their time on. Empty where a side has no runs.
Ledger ledgerOf(Causes a, std::size_t runsA, Causes b, std::size_t runsB);

/// Empty where a side has no runs. Time in a run that no state covers is "unknown". Of a program with several threads this is the
/// first thread's time. See causesOf().
Ledger whySlower(const Timeline& a, std::span<const ProcessRun> runsA, const Timeline& b, std::span<const ProcessRun> runsB,
                 std::stop_token stop = {});

} // namespace helio
