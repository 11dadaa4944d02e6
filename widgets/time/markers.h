#pragma once

#include "widgets/time/bookmarks.h"

namespace helio {

/// The two markers are the bookmarks named A and B that are moments. Sessions keep them and views show them like all bookmarks.
inline constexpr QLatin1StringView MarkerA("A");
inline constexpr QLatin1StringView MarkerB("B");

std::optional<Timestamp> markerAt(const Bookmarks& bookmarks, QLatin1StringView name);
/// Moves the marker to `at`, or adds it; removes it if it is already there.
void putMarker(Bookmarks& bookmarks, QLatin1StringView name, Timestamp at);
/// Time from A to B, negative if B is earlier; nullopt if a marker is missing.
std::optional<Duration> markerDifference(const Bookmarks& bookmarks);
/// E.g. "+12.300 ms"; empty if a marker is missing.
QString markerDifferenceText(const Bookmarks& bookmarks);

} // namespace helio
