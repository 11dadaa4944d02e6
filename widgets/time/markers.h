#pragma once

#include "widgets/time/bookmarks.h"

namespace helio {

/// The two markers are the bookmarks named A and B that are moments: a session keeps them, and every view that shows bookmarks shows them.
inline constexpr QLatin1StringView MarkerA("A");
inline constexpr QLatin1StringView MarkerB("B");

std::optional<Timestamp> markerAt(const Bookmarks& bookmarks, QLatin1StringView name);
/// Moves the marker there, or puts it; where it already is, takes it away.
void putMarker(Bookmarks& bookmarks, QLatin1StringView name, Timestamp at);
/// From A to B, negative where B is earlier; nothing where one is missing.
std::optional<Duration> markerDifference(const Bookmarks& bookmarks);
/// "+12.300 ms"; empty where one is missing.
QString markerDifferenceText(const Bookmarks& bookmarks);

} // namespace helio
