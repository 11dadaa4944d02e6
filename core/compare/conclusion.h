#pragma once

#include "core/compare/ledger.h"
#include "core/compare/preempters.h"

namespace helio {

/// What else was measured of a side while its runs were there.
struct SideMeasures {
    /// What its times are made of. Different sources do not measure the same.
    enum class Source : std::uint8_t { None, States, Samples };

    std::uint32_t atOnce = 0; ///< The most runs that were there at one time.
    std::uint32_t cpus = 0;   ///< Of the runs' hosts.
    double busy = 0;          ///< Of those CPUs while so many runs were there: 0 to 1; NaN where that is not known.
    std::vector<Preempter> preempters;
    Source source = Source::None;
    Duration cpuTime{}; ///< Of all threads of one run: the mean of the runs.
    std::uint32_t runs = 0;
    std::uint32_t cutRuns = 0; ///< Of those: began before what is compared, or went on after it. Their wall time is not known.
};
/// Whether all of a side's runs were cut, so that how long one takes is not known.
inline bool areAllCut(const SideMeasures& side) { return side.runs > 0 && side.cutRuns == side.runs; }

SideMeasures measuresOf(const Timeline& timeline, std::span<const ProcessRun> runs, std::stop_token stop = {});

/// Why one side takes longer, as one would explain it to a colleague: "In B 4 processes shared 2 CPUs that were 99 % busy: each had a CPU
/// 49 % of its time. The code itself is as fast as alone (+3 %)." Says nothing that was not measured, or not on both sides alike. Empty:
/// there is nothing to compare.
std::string conclusion(const Ledger& ledger, const SideMeasures& a, const SideMeasures& b);

/// A short stretch of a run in which its time goes to what made the difference, the state of the ledger's first line: where it does most; in
/// the middle of the run where no recorded state shows it, as with samples alone. Not longer than `length`.
TimeRange exampleStretch(const Timeline& timeline, const Ledger& ledger, const ProcessRun& run, Duration length, std::stop_token stop = {});

} // namespace helio
