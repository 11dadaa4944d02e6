#pragma once

#include "core/query/rows/rows.h"

#include <optional>
#include <string>
#include <string_view>

namespace helio {

/// Returns the row of one track, as rows() gives it but without its parent's index; nullopt if no view shows the track as a row.
/// Cost: independent of the number of rows, unlike a search in rows().
std::optional<Row> rowOf(const Timeline& timeline, TrackRef track);

/// Returns the id of the view that shows the track as a row; empty if none does.
std::string_view viewOf(const Timeline& timeline, TrackRef track);

/// Returns the filter expression that matches the events of a thread or CPU, for example "tid == 42"; with several hosts it names the host
/// too. Empty if there is none.
std::string eventsOf(const Timeline& timeline, TrackRef track);

/// Returns the CPU that a thread has at a moment, or the thread that a CPU has. Not valid: none, or not known.
TrackRef counterpartAt(const Timeline& timeline, TrackRef track, Timestamp at);

/// Returns a text as a string literal of a filter expression: in quotes, with escapes.
std::string quotedText(std::string_view text);

} // namespace helio
