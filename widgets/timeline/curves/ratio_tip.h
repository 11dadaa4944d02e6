#pragma once

#include "core/counters/ratio_stretches.h"
#include "widgets/timeline/curves/series_source.h"
#include "widgets/timeline/graph/tips/state_tip.h"

#include <optional>
#include <span>
#include <stop_token>

namespace helio {

/// What a ratio is at a time, with the sums of that stretch which make it. Nothing where it has no value. Requires: `named` is a ratio.
std::optional<TipContent> ratioTip(const NamedSeries& named, std::span<const RatioStretch> stretches, Timestamp at,
                                   const TimeFormat& format, int digits);

/// Adds what it is in a range, as far as it is known there, and of a CPU's also by the states of the threads that it had. Slow: from a
/// query thread.
void addRange(TipContent& tip, const Timeline& timeline, const NamedSeries& named, TimeRange range, const Theme& theme,
              std::stop_token stop = {});

} // namespace helio
