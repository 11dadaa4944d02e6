#pragma once

#include "core/compare/breakdown.h"
#include "core/compare/code_difference.h"
#include "core/compare/preempters.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace helio {

/// Measurements of one side of a comparison during its runs: number of runs, use of the CPUs, preempters and CPU time of the threads.
struct SideMeasurements {
    /// Source of the times. Different sources do not measure the same.
    enum class Source : std::uint8_t { None, States, Samples };

    std::uint32_t atOnce = 0; ///< Largest number of runs at one time.
    std::uint32_t cpus = 0; ///< Number of CPUs of all hosts.
    double busy = 0; ///< Busy share of those CPUs while `atOnce` runs were there, 0 to 1; NaN if unknown.
    std::vector<Preempter> preempters;
    Source source = Source::None;
    RunCpuTime cpuTime;
    std::uint32_t threads = 0; ///< Number of threads at work in one run: RunThreads::atWork.
    std::uint32_t runs = 0;
    std::uint32_t cutRuns = 0; ///< Number of runs that began before what is compared, or went on after it. Their wall time is unknown.
};
/// True if all runs of a side were cut, so that the duration of a run is unknown.
inline bool areAllRunsCut(const SideMeasurements& side) { return side.runs > 0 && side.cutRuns == side.runs; }

SideMeasurements measureSide(const SideRuns& side, std::stop_token stop = {});

/// Returns the CPU time of all threads of one run in A and in B, measured in the same way: by samples if both sides have them, because call
/// trees consist of samples; else by states. 0 if a side has neither.
std::pair<Duration, Duration> cpuTimes(const SideMeasurements& a, const SideMeasurements& b);

/// Explains in sentences why one side takes longer: "In B 4 processes shared 2 CPUs that were 99 % busy: each had a CPU 49 % of its time.
/// The code itself is as fast as alone (+3 %)." Mentions only what was measured in the same way on both sides. With several threads, it
/// also names what the recording cannot tell. `code` is where the difference of CPU time lies, if known. Empty if there is nothing to
/// compare.
std::string conclusion(const Breakdown& ledger, const SideMeasurements& a, const SideMeasurements& b,
                       const std::optional<CodeDifference>& code = {});

/// Returns a range of at most `length` in a part `within` of the side's first run, as an example of the difference: the range with the most
/// time in the state of the breakdown's first line. It is in the middle of `within` if no recorded state shows the difference, e.g. if
/// there are only samples.
TimeRange findExampleRange(const SideRuns& side, const Breakdown& ledger, TimeRange within, Duration length, std::stop_token stop = {});

} // namespace helio
