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
/// Lifetime: an analysis is created when its trace is indexed, is bound to the event types of that trace, and is destroyed after indexing.
/// Threads: used by one thread only.
class Analysis {
public:
    virtual ~Analysis() = default;

    /// Starts the analysis at the time of the trace's first event. Called before onEvents(), onLossBegin(), onLoss() and finish().
    virtual void begin(HostTimestamp at) = 0;
    /// Returns true if the analysis uses events of this type. The caller may skip runs without used events. Called once for each type,
    /// before begin().
    virtual bool takes(EventTypeId) const { return true; }
    /// Processes an event run: consecutive events of one stream. The run may contain events of types for which takes() returned false. The
    /// division of a stream into runs has no meaning.
    virtual void onEvents(const EventRun& run) = 0;
    /// Called when a gap of lost events begins: before the first event at or after the beginning of the gap. During the gap, events of
    /// CPUs that lost no events may follow. onLoss() ends the gap.
    virtual void onLossBegin(const Loss&) { }
    /// Called when a gap of lost events ends, in time order with the events: before the first event at or after the gap's end.
    virtual void onLoss(const Loss& loss) = 0;
    /// Ends the analysis at the time of the trace's last event. Intervals that are still open are closed by the store.
    virtual void finish(HostTimestamp at) = 0;
    /// Returns messages for the user about how the trace was interpreted. The store saves the messages, and the window shows them under
    /// Messages. Called after finish().
    virtual std::vector<Diagnostic> diagnostics() { return {}; }
};

/// Events that a view needs but the trace does not have.
struct MissingEvents {
    std::string view; ///< Id of the view, e.g. "control-flow".
    std::vector<std::string> anyOf; ///< Names of alternative events: the view needs every occurrence of at least one of these events.
    std::string consequence; ///< Result of the missing events for the user, e.g. "threads have no states".
    /// Command line that records the events: of the trace's own tracer, or of another tracer if the own one cannot record them. Empty if
    /// unknown.
    std::string command;
    bool isEssential = false; ///< True if the view is empty without the events; false if it only lacks some of its content.
    bool isSampled = false; ///< True if the events were only sampled, so that the trace lacks some of their occurrences.
    /// Ids of the interval kinds that have no intervals if the events are missing: segment kinds, or ids in TrackView::runs. If
    /// `isEssential` is true, all kinds in TrackView::runs of the view depend on the events, even if they are not listed.
    std::vector<std::string> kinds{};
    /// Name of the trace's tracer if it cannot record the events, so that `command` is a command of another tracer; else empty.
    std::string unable{};

    /// Returns the advice to record the missing events.
    RecordingAdvice advice() const { return {command, unable}; }
};

/// Input of AnalysisKind::make().
/// Ownership: the caller keeps all members alive longer than the analysis.
struct AnalysisInput {
    const Trace& trace;
    /// Finished stores: one for each kind in needs(), then one for each kind in uses(), in the order of those lists; nullptr for a kind in
    /// uses() that does not run on the trace.
    std::span<const std::shared_ptr<const Store>> needed{};
    /// Thread ends, sorted by TID and then by time; empty unless the kind's usesThreadEnds() is true.
    std::span<const ThreadEnd> threadEnds{};
};

/// A kind of analysis: its id and version, the kinds it depends on, its views, and the factory of its Analysis objects.
///
/// Immutable.
/// Threads: all methods may be called from several threads at once.
/// Cost: the methods are called whenever a trace is opened, so they must be fast.
class AnalysisKind {
public:
    virtual ~AnalysisKind() = default;

    /// Id that is unique in the registry, e.g. "kernel"; part of the file names of this kind's stores.
    virtual std::string_view id() const = 0;
    /// Version of this kind's output. Increase it when the output changes: the stores of this kind are then rebuilt, and the stores of
    /// other kinds stay valid.
    virtual int version() const = 0;
    /// Returns the ids of the kinds whose stores this kind must read. This kind runs only if all of these kinds run. It runs in a later
    /// pass over the trace, when their stores are finished.
    virtual std::span<const std::string_view> needs() const { return {}; }
    /// Returns the ids of optional kinds, whose stores this kind reads if they run on the trace. This kind then runs after them.
    virtual std::span<const std::string_view> uses() const { return {}; }
    /// Returns true if the analysis needs the thread ends that other traces of the host recorded. The analysis then runs after those traces
    /// were indexed.
    virtual bool usesThreadEnds() const { return false; }
    /// Returns the ids of kinds that produce better data for the same rows. This kind does not run on a trace if one of the listed kinds
    /// applies to the trace.
    virtual std::span<const std::string_view> yieldsTo() const { return {}; }
    /// Returns the views of this kind in listing order. The views live as long as the kind.
    virtual std::span<const TrackView> views() const = 0;

    /// Returns true if the trace has data for this kind. If false, neither an analysis nor a store is made.
    virtual bool appliesTo(const Trace& trace) const = 0;
    /// Returns the events that this kind's views need but the trace does not have. Empty if the trace is of a type that the views are not
    /// meant for.
    virtual std::vector<MissingEvents> missing(const Trace&) const { return {}; }
    /// Creates an analysis that is bound to the trace's event types. Requires: appliesTo(input.trace).
    /// Ownership: the caller keeps `sink` alive longer than the analysis.
    virtual std::unique_ptr<Analysis> make(const AnalysisInput& input, StateSink& sink) const = 0;
};

/// A built-in kind of analysis. Each folder of core/analyses defines one.
struct BuiltinAnalysis {
    std::shared_ptr<const AnalysisKind> (*make)();
};

/// Returns all built-in kinds. The build generates this function from the folder names in core/analyses.
std::span<const BuiltinAnalysis* const> builtinAnalyses();

} // namespace helio
