#pragma once

#include "core/query/rows/state_causes.h"
#include "core/timesync/link_times.h"

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

// Texts about the ends and times of an arrow, for tooltips and Details.

/// Name of an end: "apache2 1184"; with several hosts "apache2 1184 on web". If the thread is unknown, "CPU 0 on web" or "web".
QString linkEndText(const Timeline& timeline, TrackRef end, std::uint32_t host);

/// Duration of a link: "290 µs ±64 µs"; "−5 µs" if it goes back in time; "290 µs ± ?" if the error bound is unknown. Empty if the clocks
/// are not related, as a duration has no meaning then.
QString linkDurationText(const LinkTimes& times);

/// Error bound: " ±64 µs"; empty if it is only rounding, or unknown.
QString plusMinus(Duration error);

/// Explains in a sentence why a link goes back in time, or that the clocks of its ends are not related; empty if neither applies.
QString linkDoubtText(const Timeline& timeline, const LinkTimes& times);

} // namespace helio
