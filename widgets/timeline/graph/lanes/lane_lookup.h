#pragma once

#include "widgets/timeline/graph/lanes/lane.h"

#include <optional>

namespace helio {

/// Returns the begin or end of a state nearest to `at`, at most `reach` away; nullopt if there is none. States in folded columns are
/// skipped.
std::optional<Timestamp> nearestBoundary(const Lane& lane, Timestamp at, Duration reach);

/// Returns the event nearest to `at`, at most `reach` away; the last one if several are equally near. nullopt if there is none, or if the
/// lane's ticks are samples.
std::optional<Timestamp> nearestEvent(const Lane& lane, Timestamp at, Duration reach);

/// Returns the range around `at` in which several states are drawn as one column because they are too short; empty if one state is drawn
/// alone.
TimeRange foldedRangeAt(const Lane& lane, Timestamp at);

} // namespace helio
