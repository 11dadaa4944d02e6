#pragma once

#include "core/counters/ratio_intervals.h"
#include "widgets/timeline/curves/series_source.h"
#include "widgets/timeline/graph/tips/state_tip.h"

#include <optional>
#include <span>
#include <stop_token>

namespace helio {

/// Returns the tooltip of a ratio at a time, with the sums that it is made of in that interval; nullopt if it has no value there. Requires:
/// `named` is a ratio.
std::optional<TipContent> ratioTip(const NamedSeries& named, std::span<const RatioInterval> stretches, Timestamp at,
                                   const TimeFormat& format, int digits);

/// Adds the ratio over a range, as far as it is known there; for a CPU's ratio also by the states of the threads that ran on it.
/// Threads: a query thread, as it is slow.
void addRange(TipContent& tip, const Timeline& timeline, const NamedSeries& named, TimeRange range, const Theme& theme,
              std::stop_token stop = {});

} // namespace helio
