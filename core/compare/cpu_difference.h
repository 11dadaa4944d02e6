#pragma once

#include "core/compare/alignment.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace helio {

/// Kind of work for which a CPU counts.
enum class CpuWork : std::uint8_t { Busy, User, Kernel };

/// Returns the mean number of CPUs that did such work in each bucket. NaN if nothing was recorded, or if more than 5 % of the CPUs' time is
/// unknown. Uses states if they are known, else samples of CPU time.
/// Threads: any but the UI thread.
/// Cost: like cpuUtilization() of each host.
std::vector<double> computeBusyCpus(const Timeline& timeline, CpuWork work, TimeRange window, std::size_t buckets,
                                    std::stop_token stop = {});

/// Returns computeBusyCpus() of B minus computeBusyCpus() of A at the same moments. The window is in A's time. Before the begin and after
/// the end of its recording, a side counts 0. NaN if neither side was recorded, or if the number of a side is unknown.
std::vector<double> computeCpuDifference(const Timeline& a, const Timeline& b, const Alignment& alignment, CpuWork work, TimeRange window,
                                         std::size_t buckets, std::stop_token stop = {});

} // namespace helio
