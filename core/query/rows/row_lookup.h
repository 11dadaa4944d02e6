#pragma once

#include "core/query/rows/rows.h"

#include <optional>
#include <string_view>

namespace helio {

/// The row of one track, as rows() gives it but without its parent's index; nothing where the track is no row of a view.
/// Cost: the same however many rows there are, unlike looking for it in rows().
std::optional<Row> rowOf(const Timeline& timeline, TrackRef track);

/// The id of the view that the track is a row of. Empty where it is in none.
std::string_view viewOf(const Timeline& timeline, TrackRef track);

/// The expression that the events of a thread or CPU match: "tid == 42", with several hosts of its host alone. Empty where it has none.
std::string eventsOf(const Timeline& timeline, TrackRef track);

/// The CPU that a thread has at a moment, or the thread that a CPU has. Not valid: none, or not known.
TrackRef counterpartAt(const Timeline& timeline, TrackRef track, Timestamp at);

} // namespace helio
