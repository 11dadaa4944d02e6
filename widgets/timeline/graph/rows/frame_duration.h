#pragma once

#include "core/query/rows/rows.h"

#include <QString>

namespace helio {

/// Returns the duration of a frame's bar, for example "16.6 ms", or "1 sample" if only a single sample of the frame is known: such a bar is
/// 1 ns long, which is no duration.
QString frameDurationText(const StateKind& state, Duration duration);

} // namespace helio
