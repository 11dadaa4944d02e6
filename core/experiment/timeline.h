#pragma once

#include "core/analysis/analyses.h"
#include "core/clock/clock_transform.h"
#include "core/correlation/relations.h"
#include "core/experiment/clock_choice.h"
#include "core/experiment/host_looks.h"
#include "core/store/store.h"
#include "core/store/track_ref.h"
#include "core/symbol/symbolizer.h"
#include "core/trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace helio {

class RelationAnswers;
class UnwoundStacks;

/// One trace on the timeline.
struct TimelineTrace {
    std::shared_ptr<const Trace> trace;
    /// Null until the first snapshot; stores of its analyses may be there before, whole.
    std::shared_ptr<const TraceFacts> facts;
    ClockTransform clock; ///< To the experiment's: `ownClock`, then its host's, or what a person said of the trace.
    ClockTransform ownClock{}; ///< To its host's, as relations found it between traces.
    std::optional<Duration> given{}; ///< A person said how its times are to be shifted, which no relation changes.
    std::optional<std::uint32_t> clockReference{}; ///< The trace that a relation compared its clock with.
    std::uint32_t host = 0; ///< Index in Timeline::hosts.
    std::vector<Requirement> missing;
    HostRange claimed{}; ///< What the packets found so far say; empty where they say nothing.
    std::shared_ptr<UnwoundStacks> unwound{}; ///< Of samples with register and stack copies. Null: unwound each time anew.
};

/// What one analysis derived from one trace, or the rows of a relation that are shown with the trace's.
struct TimelineStore {
    std::uint32_t trace = 0; ///< Index in Timeline::traces.
    std::shared_ptr<const Store> store; ///< Null until the first snapshot, and where the analysis does not run on the trace.
    bool isExpected = false; ///< The analysis runs on the trace.
    bool isOfRelation = false; ///< Its times are the experiment's; else they are the trace's.
    bool isOfAll = false; ///< What is in it is of all traces together.
};

/// Messages that, by a host's clock, come in before they were sent.
struct EarlyMessages {
    std::size_t count = 0;
    std::size_t of = 0; ///< All that judge the clock.
    std::size_t contradicting = 0; ///< Of them: those that contradict the others whatever the clock is.
    std::size_t relation = 0; ///< Index in Timeline::relations: whose they are.

    /// More than must be.
    bool areMany() const { return count > contradicting; }
};

struct TimelineHost {
    std::string id; ///< Clock uuid, else hostname, else the trace's path.
    std::string label; ///< The hostname, or the trace's name: what distinguishes it from others.
    std::string name{}; ///< The hostname; empty where no trace of it says any.
    bool isSynchronized = true; ///< False: nothing relates its clock to those of other hosts.
    ClockTransform clock{}; ///< From its clock to the reference's.
    ClockMethod method = ClockMethod::None;
    HostPath path{}; ///< What its clock follows from.
    FitQuality quality = FitQuality::None; ///< Of the path; Failed: its messages contradict each other, and nothing follows from them.
    EarlyMessages early{}; ///< Of a clock that was set by hand, or comes from a file; else none.
    HostLook look{}; ///< As a person has it.

    const std::string& shownName() const { return look.name.empty() ? label : look.name; } ///< For views.
};

/// Traces and stores composed on one time axis: what views and commands ask (through core/query). Immutable; a new one is published when
/// more is known.
struct Timeline {
    std::uint64_t generation = 0;
    std::vector<TimelineTrace> traces;
    /// For each trace, in order, as many places as there are kinds of analyses, in their order, and behind them a place for each kind of
    /// relation: an index stays what it is.
    std::vector<TimelineStore> stores;
    std::shared_ptr<const Analyses> analyses = Analyses::builtin(); ///< Never null.
    std::shared_ptr<const Relations> relationKinds = Relations::builtin(); ///< Never null.
    std::vector<std::shared_ptr<const Relation>> relations; ///< By kind; null, or not there: it was not made.
    bool takesClocks = true; ///< Those that relations find; else times stay raw.
    ClockChoice clockChoice; ///< What a person decided.
    std::uint32_t reference = 0; ///< The host whose clock is the experiment's.
    std::shared_ptr<RelationAnswers>
        answers; ///< Those of relations that were asked for, shared by all timelines of an experiment. May be null.
    std::vector<TimelineHost> hosts;
    std::vector<std::uint32_t> hostOrder; ///< That views show them in. Empty: as they are.
    std::vector<Diagnostic> diagnostics; ///< About the experiment as a whole (clock corrections, what could not be opened).
    TimeRange range{}; ///< First event's time, last event's time, of all traces. While indexing: as packets claim.
    bool isComplete = false;
    std::shared_ptr<Symbolizer> symbolizer; ///< The experiment's. Null: addresses have no names.
};

/// The place in Timeline::stores of what an analysis derived from a trace: the kind is its place in Analyses::all().
std::size_t placeOf(const Timeline& timeline, std::size_t trace, std::size_t analysis);
/// The place of a relation's rows that are shown with a trace: the kind is its place in Relations::all().
StoreIndex rowsOf(const Timeline& timeline, std::size_t trace, std::size_t relation);

} // namespace helio
