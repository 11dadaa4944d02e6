#pragma once

#include "core/experiment/experiment.h"
#include "core/experiment/timeline.h"

#include <optional>

namespace helio {

/// Replaces the trace by a Trace object that has found more packets, and updates the data derived from the trace alone: its missing events
/// and its claimed range. Clock and host stay.
void setTrace(TimelineTrace& t, std::shared_ptr<const Trace> trace, const Analyses& analyses);

/// Groups the traces by host, runs the correlators that need no stores, and applies the user's offsets. The stores of the returned timeline
/// are null.
Timeline composeTimeline(const std::vector<std::shared_ptr<const Trace>>& traces, const ExperimentOptions& options);

/// Runs the correlators that need no stores (Correlator::When::Opened) and aligns the hosts. Replaces their previous results: a trace that
/// has found its packets may be related to another one by its time range, which its provisional trace did not have.
void runOpeningCorrelators(Timeline& timeline);

/// Adds a correlator's result to the timeline: links, rows and diagnostics, and clocks if Timeline::appliesClocks is true. Clocks of traces
/// with an offset from the user stay. Replaces the correlator's previous result, except clocks that the new result does not contain. `kind`
/// is an index into CorrelatorRegistry::all().
void addCorrelation(Timeline& timeline, std::size_t kind, std::shared_ptr<const Correlation> relation);

/// Returns the diagnostic that a correlator failed; the traces remain usable.
Diagnostic correlatorFailure(const Correlator& kind, const Error& error);

/// Sets TimelineHost::isSynchronized of all hosts and computes the timeline's range again. A host is synchronized if its clock is related
/// to the reference host's clock: by an offset from the user, or by correlators. A single host is always synchronized.
void assessClocks(Timeline& timeline);

/// Returns the range of the trace on the experiment's clock; empty if the trace has no events or no times.
std::optional<TimeRange> traceRange(const TimelineTrace& trace);

/// Returns the range of all traces, from the facts of indexed traces and the claimed ranges of other traces.
TimeRange experimentRange(const Timeline& timeline);

} // namespace helio
