#pragma once

#include "core/query/rows/rows.h"

#include <optional>
#include <string>
#include <string_view>

namespace helio {

/// Returns the row of one track, as rows() does but with `parent` not set; nullopt if no view shows the track as a row.
/// Cost: independent of the number of rows, unlike a search in rows().
std::optional<Row> rowOf(const Timeline& timeline, TrackRef track);

/// Returns the id of the view that shows the track as a row; empty if none does.
std::string_view viewOf(const Timeline& timeline, TrackRef track);

/// Returns a filter expression that matches the events of a thread or CPU, for example "tid == 42". With several hosts, the expression
/// names the host too. Empty if the track is neither a thread nor a CPU.
std::string eventsOf(const Timeline& timeline, TrackRef track);

/// Returns the CPU on which a thread runs at a time, or the thread that runs on a CPU. Not valid if there is none or if it is unknown.
TrackRef counterpartAt(const Timeline& timeline, TrackRef track, Timestamp at);

/// Converts a text to a string literal of a filter expression, with quotes and escapes.
std::string quotedText(std::string_view text);

} // namespace helio
