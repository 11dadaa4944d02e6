#pragma once

#include "core/counters/ratio_intervals.h"
#include "widgets/timeline/curves/series_source.h"
#include "widgets/timeline/graph/tips/state_tip.h"

#include <optional>
#include <span>
#include <stop_token>

namespace helio {

/// Returns the tooltip of a ratio at the time `at`: the value of the ratio, and the sums of its counters, in the interval of
/// `intervals` that contains `at`; nullopt if no interval does. Requires: `named` is a ratio.
std::optional<TipContent> ratioTip(const NamedSeries& named, std::span<const RatioInterval> intervals, Timestamp at,
                                   const TimeFormat& format, int digits);

/// Adds the ratio over `range`, or over the loaded part of it. For a ratio of a CPU, also adds the ratio by state of the threads that ran
/// on the CPU.
/// Threads: a query thread, because it is slow.
void addRange(TipContent& tip, const Timeline& timeline, const NamedSeries& named, TimeRange range, const Theme& theme,
              std::stop_token stop = {});

} // namespace helio
