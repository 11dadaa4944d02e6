#pragma once

#include "core/experiment/experiment.h"
#include "core/experiment/timeline.h"

#include <optional>

namespace helio {

/// Replaces the trace by a version with more packets, and updates what depends on the trace alone: its missing events and the range that
/// its packets claim. Its clock and host stay.
void setTrace(TimelineTrace& t, std::shared_ptr<const Trace> trace, const Analyses& analyses);

/// Groups the traces by host, runs the correlators that need no stores, and applies the user's offsets. The timeline has no stores yet.
Timeline composeTimeline(const std::vector<std::shared_ptr<const Trace>>& traces, const ExperimentOptions& options);

/// Adds a correlator's result to the timeline: links, rows and diagnostics, and clocks if Timeline::appliesClocks, except for traces with
/// an offset of the user. Replaces the correlator's previous result; clocks without a replacement stay. `kind` is an index into
/// CorrelatorRegistry::all().
void addCorrelation(Timeline& timeline, std::size_t kind, std::shared_ptr<const Correlation> relation);

/// The message that a correlator failed; the traces remain usable.
Diagnostic correlatorFailure(const Correlator& kind, const Error& error);

/// Finds the hosts whose clocks are not related to the reference host's (TimelineHost::isSynchronized), and computes the timeline's range
/// again. Offsets of the user relate all hosts that have one; a correlator relates two hosts. A single host is always synchronized.
void assessClocks(Timeline& timeline);

/// The range of the trace on the experiment's clock; empty if it has no events or no times.
std::optional<TimeRange> traceRange(const TimelineTrace& trace);

/// The range of all traces: from the facts of indexed traces, and from what the packets claim of other traces.
TimeRange experimentRange(const Timeline& timeline);

} // namespace helio
