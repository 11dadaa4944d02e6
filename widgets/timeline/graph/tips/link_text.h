#pragma once

#include "core/query/rows/state_causes.h"
#include "core/timesync/link_times.h"

#include <QString>

namespace helio {

// Texts about the causes of states, for tooltips and Details.

/// Returns the name of a row, e.g. "worker-2 263" or "CPU 1"; empty if the track has no row.
QString rowName(const Timeline& timeline, TrackRef row);

/// Returns the waker and its CPU: "worker-2 263 on CPU 1". For an interrupt: "local_timer on CPU 1, while worker-2 263 ran there", because
/// the interrupted thread is not the cause.
QString wakerText(const Timeline& timeline, const Arrow& waking);

/// Returns the CPU on which the woken thread then ran: "CPU 1, moved from CPU 0"; empty if the recording does not show the thread running.
QString landingCpuText(const Arrow& waking);

/// Explains the cause of a state in one or two sentences: "Woken by jbd2/vda1-8 214 on CPU 3. Ran on CPU 1, moved from CPU 0."; empty if
/// the cause is unknown.
QString causeText(const Timeline& timeline, const StateCause& cause, StateCategory state);

// Texts about the ends and times of an arrow, for tooltips and Details.

/// Returns the name of an arrow's end: "apache2 1184", or "apache2 1184 on web" with several hosts. If the thread is unknown, "CPU 0 on
/// web" or "web".
QString linkEndText(const Timeline& timeline, TrackRef end, std::uint32_t host);

/// Returns the duration of a link: "290 µs ±64 µs"; "−5 µs" if the link goes back in time; "290 µs ± ?" if the error bound is unknown.
/// Empty if the two clocks are not related, because the duration then has no meaning.
QString linkDurationText(const LinkTimes& times);

/// Returns an error bound with a leading space: " ±64 µs"; empty if it is only rounding, or unknown.
QString plusMinus(Duration error);

/// Explains in a sentence why a link goes back in time, or that the clocks of its two ends are not related; empty otherwise.
QString linkDoubtText(const Timeline& timeline, const LinkTimes& times);

} // namespace helio
