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
    /// Source of the times. Times from different sources are not comparable.
    enum class Source : std::uint8_t { None, States, Samples };

    std::uint32_t atOnce = 0; ///< Maximum number of runs that existed at the same time.
    std::uint32_t cpus = 0; ///< Number of CPUs of all hosts of the side.
    double busy = 0; ///< Busy share of the CPUs, from 0 to 1, during the range with `atOnce` runs; NaN if unknown.
    std::vector<Preempter> preempters;
    Source source = Source::None;
    RunCpuTime cpuTime;
    std::uint32_t threads = 0; ///< Number of busiest threads that together use 99 % of a run's CPU time (RunThreads::atWork).
    std::uint32_t runs = 0;
    /// Number of runs that began before the compared range or ended after it, so that their wall time is unknown.
    std::uint32_t cutRuns = 0;
    std::string wakeUpsCommand{}; ///< Command that records wake-ups with the side's tracer; empty if unknown.
    std::string statesCommand{}; ///< Command that records samples together with scheduler events; empty if unknown.
};
/// Returns true if all runs of a side were cut, so that the duration of a run is unknown.
inline bool areAllRunsCut(const SideMeasurements& side) { return side.runs > 0 && side.cutRuns == side.runs; }

SideMeasurements measureSide(const SideRuns& side, std::stop_token stop = {});

/// Returns the CPU time of all threads of one run, in A and in B, from the same source: samples if both sides have them, because call trees
/// consist of samples, else states. 0 if a side has neither.
std::pair<Duration, Duration> cpuTimes(const SideMeasurements& a, const SideMeasurements& b);

/// Explains in sentences why one side takes longer, e.g. "In B, 4 processes shared 2 CPUs at 99 % utilization; each got a CPU only half the
/// time. CPU time per process is nearly the same as alone (+3 %)." Uses only measurements from the same source on both sides. With several
/// threads, it also says which causes were not recorded. `code`: the functions with the difference of CPU time, if known. Empty if there is
/// nothing to compare.
std::string conclusion(const Breakdown& breakdown, const SideMeasurements& a, const SideMeasurements& b,
                       const std::optional<CodeDifference>& code = {});

/// Returns an example of the difference: a range of at most `length` inside `within`. It is the range in which the side's first run spent
/// the most time in the state of the breakdown's first line. It is the middle of `within` if no recorded state shows the difference, e.g.
/// if there are only samples.
TimeRange findExampleRange(const SideRuns& side, const Breakdown& breakdown, TimeRange within, Duration length, std::stop_token stop = {});

} // namespace helio
