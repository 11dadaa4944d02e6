#pragma once

#include "widgets/timeline/graph/lanes/lane.h"

#include <optional>

namespace helio {

/// The begin or end nearest to a time, at most `reach` away, of the lane's states that are seen one by one. Nothing: there is none.
std::optional<Timestamp> nearestBoundary(const Lane& lane, Timestamp at, Duration reach);

/// The event nearest to a time, at most `reach` away; of equally near ones the last. Nothing where the lane's ticks are no events.
std::optional<Timestamp> nearestEvent(const Lane& lane, Timestamp at, Duration reach);

/// The stretch that several states share at a time, being too short to be seen one by one. Empty: one state alone is there.
TimeRange foldedAt(const Lane& lane, Timestamp at);

} // namespace helio
