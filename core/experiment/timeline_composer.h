#pragma once

#include "core/experiment/experiment.h"
#include "core/experiment/timeline.h"

#include <optional>

namespace helio {

/// Replaces the trace by one of which more is known, and what follows from it alone: what it lacks, the times it claims. Its clock and host
/// stay.
void setTrace(TimelineTrace& t, std::shared_ptr<const Trace> trace, const Analyses& analyses);

/// Groups traces by host, makes the relations that need no stores, applies the offsets a person gave. The stores are still missing.
Timeline composeTimeline(const std::vector<std::shared_ptr<const Trace>>& traces, const ExperimentOptions& options);

/// Puts what a relation found on the timeline: its links, rows and diagnostics, and where the timeline takes clocks, those but for the ones
/// that a person gave. `kind`: its place in Relations::all(). What it found before goes, but for clocks, which the new ones replace.
void addRelation(Timeline& timeline, std::size_t kind, std::shared_ptr<const Relation> relation);

/// That a relation could not be made: the traces are known all the same.
Diagnostic notRelated(const RelationKind& kind, const Error& error);

/// Finds the hosts whose clocks are not related to all others': a person's offsets relate all hosts that have one, a relation relates two;
/// one host needs none. Then reckons the timeline's range anew.
void judgeClocks(Timeline& timeline);

/// The range that the trace covers; nothing where it has no event.
std::optional<TimeRange> ownRange(const TimelineTrace& trace);

/// The range all traces cover: of finished stores what they found, of others what their packets claim.
TimeRange composedRange(const Timeline& timeline);

} // namespace helio
