#pragma once

#include "core/query/rows/rows.h"

#include <QString>

namespace helio {

/// How long the bar of a frame is: "16.6 ms". "1 sample" where a single sample is all that is known of it: its bar is 1 ns long then, which
/// is no duration.
QString frameDurationText(const StateKind& state, Duration duration);

} // namespace helio
