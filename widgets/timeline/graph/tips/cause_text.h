#pragma once

#include "core/query/rows/causes.h"

#include <QString>

namespace helio {

// What causes are in words, for tooltips and Details.

/// "worker-2 263"; "CPU 1". Empty where the track is no row.
QString rowName(const Timeline& timeline, TrackRef row);

/// Who did a wake-up: "worker-2 263 on CPU 1", or "local_timer on CPU 1, while worker-2 263 ran there": a thread that was only interrupted
/// did nothing.
QString wakerText(const Timeline& timeline, const Arrow& waking);

/// Where the woken thread went: "CPU 1, moved from CPU 0". Empty where that was not seen.
QString landing(const Arrow& waking);

/// One or two sentences: "Woken by jbd2/vda1-8 214 on CPU 3. Ran on CPU 1, moved from CPU 0." Empty where nothing is known.
QString causeText(const Timeline& timeline, const StateCause& cause, Meaning state);

} // namespace helio
