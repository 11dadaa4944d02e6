#pragma once

#include "core/experiment/experiment.h"
#include "core/experiment/timeline.h"

#include <optional>

namespace helio {

/// Replaces the trace by one of which more is known, and what follows from it alone: what it lacks, the times it claims. Its clock and host
/// stay.
void setTrace(TimelineTrace& t, std::shared_ptr<const Trace> trace, const Analyses& analyses);

/// Groups traces by host, corrects clocks that are the same clock, applies the offsets a person gave. The stores are still missing.
Timeline composeTimeline(const std::vector<std::shared_ptr<const Trace>>& traces, const ExperimentOptions& options);

/// The range that the trace covers; nothing where it has no event.
std::optional<TimeRange> ownRange(const TimelineTrace& trace);

/// The range all traces cover: of finished stores what they found, of others what their packets claim.
TimeRange composedRange(const Timeline& timeline);

} // namespace helio
