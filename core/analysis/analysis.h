#pragma once

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
    /// All events, those it has no use for too. How they are parted into runs means nothing.
    virtual void onEvents(const EventRun& run) = 0;
    /// A gap begins: called before the first event at or after it. What happens on other CPUs while it lasts comes between this and
    /// onLoss(), which ends it.
    virtual void onLossBegin(const Loss&) {}
    /// Called in time order with the events: before the first event at or after the gap's end.
    virtual void onLoss(const Loss& loss) = 0;
    /// The last event's time. Open intervals are closed by the store.
    virtual void finish(HostTimestamp at) = 0;
};

/// What a view lacks because events were not recorded.
struct Requirement {
    std::string view;                  ///< "control-flow"...
    std::vector<std::string> anyOf;    ///< Event names, one of which is needed, all of its events.
    std::string consequence;           ///< "threads have no states"
    std::string command;               ///< How to record them, with what recorded the trace. Empty: that is not known.
    bool isEssential = false;          ///< Without it the view is empty.
    bool isSampled = false;            ///< They were recorded, but only some of them.
};

/// A view that an analysis makes rows for. Several may make rows for one: the first that names it says what it is called.
struct TrackView {
    std::string_view id; ///< "control-flow": Track::view
    std::string_view title; ///< "Control flow"
};

/// A kind of analysis: a shelf item of core/analyses.
struct AnalysisKind {
    std::string_view id;
    int version;                       ///< Raise when its output changes: old stores are rebuilt.

    /// Whether the trace has anything for it.
    bool (*appliesTo)(const Trace& trace);

    /// Bound to the trace's event types; both outlive it.
    std::unique_ptr<Analysis> (*make)(const Trace& trace, StateSink& sink);

    /// What the trace lacks for this analysis's views.
    std::vector<Requirement> (*missing)(const Trace& trace);

    std::span<const TrackView> views; ///< In the order they are listed in.
};

/// Every analysis that was built in. Generated from the folders of core/analyses.
std::span<const AnalysisKind* const> builtinAnalyses();

} // namespace helio
