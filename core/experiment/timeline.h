#pragma once

#include "core/analysis/analyses.h"
#include "core/clock/clock_transform.h"
#include "core/correlation/correlator_registry.h"
#include "core/experiment/clock_settings.h"
#include "core/experiment/host_styles.h"
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

class CorrelationCache;
class UnwoundStacks;
/// One trace on the timeline.
struct TimelineTrace {
    std::shared_ptr<const Trace> trace;
    /// Null until the first snapshot. Stores of its analyses may be finished before.
    std::shared_ptr<const TraceFacts> facts;
    ClockTransform clock; ///< From the trace's clock to the experiment's: `ownClock` followed by the host's clock, or by the user's offset.
    ClockTransform ownClock{}; ///< From the trace's clock to its host's, as a correlator found it between traces.
    std::optional<Duration> given{}; ///< The user's offset for the trace; no correlator changes it. Empty if there is none.
    /// Index of the trace that a correlator compared this clock with; empty if there is none.
    std::optional<std::uint32_t> clockReference{};
    std::uint32_t host = 0; ///< Index in Timeline::hosts.
    std::vector<MissingEvents> missing;
    HostRange claimed{}; ///< The range that the packets found so far claim; empty if they have no times.
    /// Unwound stacks of samples with copies of registers and stack; null if they are unwound again at each use.
    std::shared_ptr<UnwoundStacks> unwound{};
};

/// The store of one analysis of one trace, or of the rows of a correlator that are shown with the trace.
struct TimelineStore {
    std::uint32_t trace = 0; ///< Index in Timeline::traces.
    std::shared_ptr<const Store> store; ///< Null until the first snapshot, and if the analysis does not run on the trace.
    bool isExpected = false; ///< True if the analysis runs on the trace.
    bool isFromCorrelator = false; ///< True if the times are the experiment's; false if they are the trace's.
    bool isOfAll = false; ///< True if the content belongs to all traces together.
};

/// Counts of messages that arrive before they were sent, according to a host's clock.
struct CausalityViolations {
    std::size_t count = 0;
    std::size_t of = 0; ///< Number of all messages that measure the clock.
    std::size_t contradicting = 0; ///< Number of messages that contradict the rest for every possible clock.
    std::size_t relation = 0; ///< Index in Timeline::relations of the correlation that has the messages.

    /// True if there are more than contradicting messages explain.
    bool areMany() const { return count > contradicting; }
};

struct TimelineHost {
    std::string id; ///< UUID of the clock, or the hostname, or the path of the host's trace.
    std::string label; ///< The hostname, or the trace's name, made unique among the hosts.
    std::string name{}; ///< The hostname; empty if no trace of the host has one.
    bool isSynchronized = true; ///< False if nothing relates the host's clock to the reference host's, and more than one host has times.
    ClockTransform clock{}; ///< From the host's clock to the reference host's.
    ClockMethod method = ClockMethod::None;
    HostClockPath path{}; ///< The comparisons that the clock follows from.
    /// Quality of `path`. Failed if the messages contradict each other, so that no clock follows from them.
    FitQuality quality = FitQuality::None;
    CausalityViolations early{}; ///< Counted if the clock was set by the user or comes from a file; otherwise empty.
    HostStyle look{}; ///< Set by the user.

    const std::string& shownName() const { return look.name.empty() ? label : look.name; } ///< Name for views.
};

/// Traces and stores composed on one time axis: what views and commands query (through core/query). Immutable; a new timeline is published
/// when more is known.
struct Timeline {
    std::uint64_t generation = 0;
    std::vector<TimelineTrace> traces;
    /// For each trace, in order: one element for each kind of analysis, in the order of Analyses::all(), then one for each correlator. The
    /// indices of stores therefore never change.
    std::vector<TimelineStore> stores;
    std::shared_ptr<const Analyses> analyses = Analyses::builtin(); ///< Never null.
    std::shared_ptr<const CorrelatorRegistry> correlatorRegistry = CorrelatorRegistry::builtin(); ///< Never null.
    std::vector<std::shared_ptr<const Correlation>>
        relations; ///< Correlations by correlator; null or missing if the correlator did not run.
    bool appliesClocks = true; ///< True if clocks that correlators find are applied; false if times stay raw.
    ClockSettings clockSettings; ///< Choices of the user about clocks.
    std::uint32_t reference = 0; ///< Index of the reference host in `hosts`.
    std::shared_ptr<CorrelationCache>
        answers; ///< Cache of correlations that were made on request, shared by all timelines of an experiment. May be null.
    std::vector<TimelineHost> hosts;
    std::vector<std::uint32_t> hostOrder; ///< The order in which views show `hosts`; empty for the order of `hosts`.
    std::vector<Diagnostic> diagnostics; ///< About the experiment as a whole: clock corrections, traces that could not be opened.
    TimeRange range{}; ///< From the first to the last event of all traces. While indexing: the range that packets claim.
    bool isComplete = false;
    std::shared_ptr<Symbolizer> symbolizer; ///< Symbolizer of the experiment; null if addresses have no names.
};

/// Index into Timeline::stores of what an analysis derived from a trace. `analysis` is an index into Analyses::all().
std::size_t placeOf(const Timeline& timeline, std::size_t trace, std::size_t analysis);
/// Index into Timeline::stores of the rows of a correlator that are shown with a trace. `relation` is an index into
/// CorrelatorRegistry::all().
StoreIndex rowsOf(const Timeline& timeline, std::size_t trace, std::size_t relation);

/// True if `timeline`, opened again from the same traces with other analyses, has everything that `before` had: the facts of each trace,
/// and the stores of each analysis and each correlator that runs after indexing. Analyses and correlators that `timeline` does not know, or
/// has switched off, are not required.
bool containsAllOf(const Timeline& timeline, const Timeline& before);

} // namespace helio
