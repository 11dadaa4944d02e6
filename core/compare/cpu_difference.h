#pragma once

#include "core/compare/alignment.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace helio {

/// Kind of activity for which a CPU is counted.
enum class CpuWork : std::uint8_t { Busy, User, Kernel };

/// Returns the mean number of CPUs with the activity `work` in each bucket; NaN if nothing was recorded in the bucket, or if more than 5
/// % of the CPUs' time is unknown. Uses states if available, else samples of CPU time.
/// Threads: any but the UI thread.
/// Cost: like cpuUtilization() of each host.
std::vector<double> computeBusyCpus(const Timeline& timeline, CpuWork work, TimeRange window, std::size_t buckets,
                                    std::stop_token stop = {});

/// Returns computeBusyCpus() of B minus computeBusyCpus() of A at corresponding times. `window` is in A's time. Outside its recording, a
/// side counts as 0. NaN if neither side was recorded in the bucket, or if a side's number is unknown.
std::vector<double> computeCpuDifference(const Timeline& a, const Timeline& b, const Alignment& alignment, CpuWork work, TimeRange window,
                                         std::size_t buckets, std::stop_token stop = {});

} // namespace helio
