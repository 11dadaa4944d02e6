#pragma once

#include "core/query/rows.h"

#include <optional>
#include <string_view>

namespace helio {

/// The row of one track, as rows() gives it but without its parent's index; nothing where the track is no row of a view.
/// Cost: the same however many rows there are, unlike looking for it in rows().
std::optional<Row> rowOf(const Timeline& timeline, TrackRef track);

/// The view that the track is a row of: "control-flow", "resources". Empty where it is in none.
std::string_view viewOf(const Timeline& timeline, TrackRef track);

} // namespace helio
