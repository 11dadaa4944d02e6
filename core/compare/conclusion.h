#pragma once

#include "core/compare/code_difference.h"
#include "core/compare/ledger.h"
#include "core/compare/preempters.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace helio {

/// What else was measured of a side while its runs were there.
struct SideMeasures {
    /// What its times are made of. Different sources do not measure the same.
    enum class Source : std::uint8_t { None, States, Samples };

    std::uint32_t atOnce = 0; ///< The most runs that were there at one time.
    std::uint32_t cpus = 0; ///< Of the runs' hosts.
    double busy = 0; ///< Of those CPUs while so many runs were there: 0 to 1; NaN where that is not known.
    std::vector<Preempter> preempters;
    Source source = Source::None;
    RunCpuTime cpuTime;
    std::uint32_t threads = 0; ///< At work in one run: RunThreads::atWork.
    std::uint32_t runs = 0;
    std::uint32_t cutRuns = 0; ///< Of those: began before what is compared, or went on after it. Their wall time is not known.
};
/// Whether all of a side's runs were cut, so that how long one takes is not known.
inline bool areAllCut(const SideMeasures& side) { return side.runs > 0 && side.cutRuns == side.runs; }

SideMeasures measuresOf(const SideRuns& side, std::stop_token stop = {});

/// CPU time of all threads of one run in A and in B, measured alike: by samples if both sides have them, as call trees consist of samples;
/// by states if not. 0 if a side has neither.
std::pair<Duration, Duration> cpuTimes(const SideMeasures& a, const SideMeasures& b);

/// Why one side takes longer, as one would explain it to a colleague: "In B 4 processes shared 2 CPUs that were 99 % busy: each had a CPU
/// 49 % of its time. The code itself is as fast as alone (+3 %)." Says nothing that was not measured, or not on both sides alike, and of
/// several threads what the recording cannot tell. `code`: where the difference of CPU time lies, as far as known. Empty: there is nothing
/// to compare.
std::string conclusion(const Ledger& ledger, const SideMeasures& a, const SideMeasures& b, const std::optional<CodeDifference>& code = {});

/// A short stretch of the side's first run, within a part of it, in which its time goes to what made the difference, the state of the
/// ledger's first line: where it does most; in the middle where no recorded state shows it, as with samples alone. Not longer than
/// `length`.
TimeRange exampleStretch(const SideRuns& side, const Ledger& ledger, TimeRange within, Duration length, std::stop_token stop = {});

} // namespace helio
