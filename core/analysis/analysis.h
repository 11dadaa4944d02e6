#pragma once

#include "core/analysis/thread_ends.h"
#include "core/analysis/track_view.h"
#include "core/base/diagnostic.h"
#include "core/store/store.h"
#include "core/trace/trace.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// Turns the events of one trace, in merged order, into states, links, segments, counters or samples.
///
/// An object is made when a trace is indexed, is bound to the event types of that trace, and is destroyed when indexing is done.
/// Threads: to be used by one thread.
class Analysis {
public:
    virtual ~Analysis() = default;

    /// Called before any other call, with the time of the first event.
    virtual void begin(HostTimestamp at) = 0;
    /// Returns true if the analysis uses events of the type. The caller may leave out runs without such events. Called once for each type,
    /// before begin().
    virtual bool takes(EventTypeId) const { return true; }
    /// Takes a run of events; the run may contain events of types that takes() refused. The boundaries between runs have no meaning.
    virtual void onEvents(const EventRun& run) = 0;
    /// Called when a gap begins, before the first event at or after the gap's beginning. Events of other CPUs during the gap follow before
    /// onLoss(), which ends the gap.
    virtual void onLossBegin(const Loss&) { }
    /// Called when a gap ends, in time order with the events: before the first event at or after the gap's end.
    virtual void onLoss(const Loss& loss) = 0;
    /// Called with the time of the last event. The store closes open intervals.
    virtual void finish(HostTimestamp at) = 0;
    /// Returns what the user should know about how the trace was interpreted. The store keeps it; the window shows it under Messages.
    /// Called after finish().
    virtual std::vector<Diagnostic> diagnostics() { return {}; }
};

/// Events that a view needs and that the trace lacks.
struct MissingEvents {
    std::string view; ///< Id of the view, e.g. "control-flow".
    std::vector<std::string> anyOf; ///< Names of events; the view needs all occurrences of one of them.
    std::string consequence; ///< Consequence for the view, e.g. "threads have no states".
    std::string command; ///< Command that records the events with the tracer of the trace; empty if unknown.
    bool isEssential = false; ///< True if the view is empty without the events.
    bool isSampled = false; ///< True if the events were sampled: only some of their occurrences were recorded.
    /// Ids of the kinds of intervals (segment kinds, or TrackView::runs) that are empty without the events. All runs of a view also need
    /// the view's essential events.
    std::vector<std::string> kinds{};
};

/// The input of AnalysisKind::make().
/// Ownership: everything here outlives the analysis.
struct AnalysisInput {
    const Trace& trace;
    /// Finished stores of the kinds in needs(), then of the kinds in uses(), in that order. nullptr for a kind in uses() that does not run
    /// on the trace.
    std::span<const std::shared_ptr<const Store>> needed{};
    std::span<const ThreadEnd> threadEnds{}; ///< Ends of threads, sorted; empty unless the kind's usesThreadEnds() is true.
};

/// A kind of analysis: its id and version, the analyses it depends on, its views, and the factory of its analyses.
///
/// Immutable.
/// Threads: all methods may be called from any thread at once.
/// Cost: the methods are called whenever a trace is opened, so they must be fast.
class AnalysisKind {
public:
    virtual ~AnalysisKind() = default;

    virtual std::string_view id() const = 0; ///< Unique id in a registry, e.g. "kernel"; part of the file names of its stores.
    /// Version of its output. Raise it when the output changes: then the stores of this kind are rebuilt, and no others.
    virtual int version() const = 0;
    /// Returns the ids of the kinds whose stores this kind reads. It runs only where they run, in a later pass, after their stores are
    /// finished.
    virtual std::span<const std::string_view> needs() const { return {}; }
    /// Returns the ids of kinds whose stores this kind reads if they run on the trace; where they run, this kind runs after them.
    virtual std::span<const std::string_view> uses() const { return {}; }
    /// Returns true if the kind reads which threads ended according to other traces of the host. It runs after those traces were indexed.
    virtual bool usesThreadEnds() const { return false; }
    /// Returns the ids of kinds that produce better data for the same rows. This kind does not run where one of them applies.
    virtual std::span<const std::string_view> yieldsTo() const { return {}; }
    /// Returns the views in the order of listing. They live as long as the kind.
    virtual std::span<const TrackView> views() const = 0;

    /// Returns true if the trace has data for this kind. If false, no analysis is made and no store is written.
    virtual bool appliesTo(const Trace& trace) const = 0;
    /// Returns the events that the kind's views lack in the trace. Empty if the trace is not of the sort that the views are for.
    virtual std::vector<MissingEvents> missing(const Trace&) const { return {}; }
    /// Makes an analysis that is bound to the trace's event types. Requires: appliesTo(input.trace).
    /// Ownership: the sink outlives the analysis.
    virtual std::unique_ptr<Analysis> make(const AnalysisInput& input, StateSink& sink) const = 0;
};

/// A built-in kind of analysis, registered by a folder of core/analyses.
struct BuiltinAnalysis {
    std::shared_ptr<const AnalysisKind> (*make)();
};

/// Returns all built-in kinds. The build generates this function from the folders of core/analyses.
std::span<const BuiltinAnalysis* const> builtinAnalyses();

} // namespace helio
