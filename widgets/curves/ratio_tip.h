#pragma once

#include "core/query/counters/ratio_stretches.h"
#include "widgets/curves/series_source.h"
#include "widgets/timegraph/tips/state_tip.h"

#include <optional>
#include <span>

namespace helio {

/// What a ratio is at a time, with the sums of that stretch which make it. Nothing where it has no value. Requires: `named` is a ratio.
std::optional<TipContent> ratioTip(const NamedSeries& named, std::span<const RatioStretch> stretches, Timestamp at,
                                   const TimeFormat& format, int digits);

} // namespace helio
