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

/// Turns one trace's events, in merged order, into states and links.
///
/// Made when a trace is indexed, bound to its event types at once, dropped when it is done. One thread.
class Analysis {
public:
    virtual ~Analysis() = default;

    /// The first event's time; before any other call.
    virtual void begin(HostTimestamp at) = 0;
    /// Whether it has a use for events of the type: a run that has none of them may be left out. Asked once for each, before begin().
    virtual bool takes(EventTypeId) const { return true; }
    /// Events, those it has no use for among them. How they are parted into runs means nothing.
    virtual void onEvents(const EventRun& run) = 0;
    /// A gap begins: called before the first event at or after it. What happens on other CPUs while it lasts comes between this and
    /// onLoss(), which ends it.
    virtual void onLossBegin(const Loss&) { }
    /// Called in time order with the events: before the first event at or after the gap's end.
    virtual void onLoss(const Loss& loss) = 0;
    /// The last event's time. Open intervals are closed by the store.
    virtual void finish(HostTimestamp at) = 0;
    /// After finish(): what a person should know of how the trace was understood. Kept in the store, and shown under Messages.
    virtual std::vector<Diagnostic> diagnostics() { return {}; }
};

/// What a view lacks because events were not recorded.
struct Requirement {
    std::string view; ///< "control-flow"...
    std::vector<std::string> anyOf; ///< Event names, one of which is needed, all of its events.
    std::string consequence; ///< "threads have no states"
    std::string command; ///< How to record them, with what recorded the trace. Empty: that is not known.
    bool isEssential = false; ///< Without it the view is empty.
    bool isSampled = false; ///< They were recorded, but only some of them.
    /// Kinds of pieces (segments, or TrackView::runs) that there are none of without them. All runs of a view take what is essential for
    /// it.
    std::vector<std::string> kinds{};
};

/// What an analysis is made from. All of it outlives the analysis.
struct AnalysisInput {
    const Trace& trace;
    /// Finished stores of what the kind needs, then of what it uses, in that order; null where what it uses does not run on the trace.
    std::span<const std::shared_ptr<const Store>> needed{};
    std::span<const ThreadEnd> threadEnds{}; ///< Of a kind that uses them; sorted.
};

/// A kind of analysis: how what one analysis makes of any trace is called, what it takes, and how it is begun.
///
/// Immutable. Threads: all methods from any thread at once. Cost: they are asked whenever a trace is opened.
class AnalysisKind {
public:
    virtual ~AnalysisKind() = default;

    virtual std::string_view id() const = 0; ///< "kernel": unique in a registry; part of what names its stores.
    virtual int version() const = 0; ///< Raise when its output changes: its old stores are rebuilt, no others.
    /// Ids of the kinds whose stores it reads: it runs in a pass of its own, after they are finished, and only where they apply.
    virtual std::span<const std::string_view> needs() const { return {}; }
    /// The same of kinds that it can do without: it runs after them where they run.
    virtual std::span<const std::string_view> uses() const { return {}; }
    /// It reads which threads other traces of the host saw end: it runs after those were indexed.
    virtual bool usesThreadEnds() const { return false; }
    /// Ids of kinds that know more of the same rows: it does not run where one of them applies.
    virtual std::span<const std::string_view> yieldsTo() const { return {}; }
    /// In the order they are listed in. They live as long as the kind.
    virtual std::span<const TrackView> views() const = 0;

    /// Whether the trace has anything for it. Where it has not, nothing is made, and nothing of it is stored.
    virtual bool appliesTo(const Trace& trace) const = 0;
    /// What the trace lacks for this kind's views. Nothing where the trace is not of the sort that has them.
    virtual std::vector<Requirement> missing(const Trace&) const { return {}; }
    /// Begun on a trace that it applies to, bound to its event types. The sink outlives it.
    virtual std::unique_ptr<Analysis> make(const AnalysisInput& input, StateSink& sink) const = 0;
};

/// An item of the shelf core/analyses.
struct BuiltinAnalysis {
    std::shared_ptr<const AnalysisKind> (*make)();
};

/// Every analysis that was built in. Generated from the folders of core/analyses.
std::span<const BuiltinAnalysis* const> builtinAnalyses();

} // namespace helio
