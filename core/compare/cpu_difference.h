#pragma once

#include "core/compare/alignment.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace helio {

/// What a CPU may be counted for.
enum class CpuWork : std::uint8_t { Busy, User, Kernel };

/// How many CPUs did such work, on average over each bucket; NaN where nothing was recorded, or it is not known of more than 5 % of their
/// time. From states where they are known, else from samples of CPU time. Threads: any but the UI's. Cost: as cpuUse() of each host.
std::vector<double> cpusAtWork(const Timeline& timeline, CpuWork work, TimeRange window, std::size_t buckets, std::stop_token stop = {});

/// B's less A's at the same moments; the window is in A's time. Where one side's recording is over, or does not begin yet, it has none at
/// work. NaN where neither was recorded, or one is not known.
std::vector<double> cpuDifference(const Timeline& a, const Timeline& b, const Alignment& alignment, CpuWork work, TimeRange window,
                                  std::size_t buckets, std::stop_token stop = {});

} // namespace helio
