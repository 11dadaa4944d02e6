#pragma once

#include "core/query/rows/state_causes.h"

#include <QString>

namespace helio {

// Causes of states as texts, for tooltips and Details.

/// Returns the name of a row, for example "worker-2 263" or "CPU 1"; empty if the track has no row.
QString rowName(const Timeline& timeline, TrackRef row);

/// Returns who caused a wake-up: "worker-2 263 on CPU 1", or "local_timer on CPU 1, while worker-2 263 ran there" for an interrupt, as the
/// interrupted thread is not the cause.
QString wakerText(const Timeline& timeline, const Arrow& waking);

/// Returns the CPU that the woken thread ran on: "CPU 1, moved from CPU 0"; empty if it was not seen to run.
QString landingCpuText(const Arrow& waking);

/// Returns one or two sentences: "Woken by jbd2/vda1-8 214 on CPU 3. Ran on CPU 1, moved from CPU 0."; empty if the cause is unknown.
QString causeText(const Timeline& timeline, const StateCause& cause, StateCategory state);

} // namespace helio
