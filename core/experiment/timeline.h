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

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

class CorrelationCache;
class UnwoundStacks;
/// A trace on the timeline, with its clock and host.
struct TimelineTrace {
    std::shared_ptr<const Trace> trace;
    /// Facts of the trace; null until the first snapshot. Stores of analyses may be complete while `facts` is still null.
    std::shared_ptr<const TraceFacts> facts;
    /// Conversion from the trace's clock to the experiment's: `ownClock` followed by the host's clock, or by the user's offset.
    ClockTransform clock;
    ClockTransform ownClock{}; ///< Conversion from the trace's clock to its host's clock, which a correlator found by comparing traces.
    /// Offset of the trace set by the user, which correlators do not change; nullopt if the user set none.
    std::optional<Duration> given{};
    /// Index of the trace with which a correlator compared this trace's clock; nullopt if no correlator did.
    std::optional<std::uint32_t> clockReference{};
    std::uint32_t host = 0; ///< Index into Timeline::hosts.
    std::vector<MissingEvents> missing;
    HostRange claimed{}; ///< Time range that the headers of the CTF packets found so far claim; empty if the packets have no times.
    /// Unwound stacks of samples with copies of registers and stack; null if these samples are unwound again at each use.
    std::shared_ptr<UnwoundStacks> unwound{};
};

/// Store of one analysis of one trace, or of the rows of a correlator that are shown with the trace.
struct TimelineStore {
    std::uint32_t trace = 0; ///< Index into Timeline::traces.
    std::shared_ptr<const Store> store; ///< The store; null until the first snapshot, or if the analysis does not run on the trace.
    bool runsOnTrace = false; ///< True if the analysis applies to the trace, so that its store exists or is being built.
    /// True if the store is a correlator's, with times on the experiment's clock; false if its times are on the trace's clock.
    bool isFromCorrelator = false;
    bool isOfAll = false; ///< True if the store's rows belong to all traces together; `trace` then only determines their position.
};

/// Numbers of messages that arrive before they were sent, according to a host's clock.
struct CausalityViolations {
    std::size_t count = 0;
    std::size_t of = 0; ///< Number of all messages whose times were compared with the clock.
    std::size_t contradicting = 0; ///< Number of messages that contradict other messages, whatever the clock.
    std::size_t relation = 0; ///< Index into Timeline::relations of the correlation that contains the messages.

    /// True if the clock is wrong: more messages than `contradicting` arrive before they were sent. These `contradicting` messages are no
    /// evidence, because they arrive before they were sent with any clock.
    bool contradictsClock() const { return count > contradicting; }
};

struct TimelineHost {
    std::string id; ///< Identity of the host: UUID of its clock, else its hostname, else the path of its trace.
    std::string label; ///< Hostname or, without one, name of the trace; made unique among the hosts.
    std::string name{}; ///< Hostname; empty if no trace of the host contains one.
    /// False if the host's clock is not related to the reference host's clock, although more than one host has times.
    bool isSynchronized = true;
    ClockTransform clock{}; ///< Conversion from the host's clock to the reference host's clock.
    ClockMethod method = ClockMethod::None;
    HostClockPath path{}; ///< Path of compared clocks from the host to the reference host, from which `clock` is computed.
    /// Quality of `path`; Failed if the messages contradict each other, so that no clock can be computed.
    FitQuality quality = FitQuality::None;
    CausalityViolations early{}; ///< Numbers of messages that contradict a clock set by the user or by a file; 0 for other clocks.
    HostStyle look{}; ///< Name and colour that the user gave the host.

    const std::string& shownName() const { return look.name.empty() ? label : look.name; } ///< Returns the host's name for views.
};

/// Kind of the diagnostic about hosts whose clocks cannot be related. Its text does not say what to do about it, because this differs
/// between command line and window.
inline constexpr std::string_view UnsynchronizedClocks = "unsynchronized-clocks";

/// Traces and stores composed on one time axis, which views and commands query through core/query. Immutable: a new timeline is published
/// whenever more of the traces is indexed.
struct Timeline {
    std::uint64_t generation = 0;
    std::vector<TimelineTrace> traces;
    /// Stores of each trace, trace after trace: one element for each analysis, in the order of Analyses::all(), then one for each
    /// correlator. The index of a store therefore never changes.
    std::vector<TimelineStore> stores;
    std::shared_ptr<const Analyses> analyses = Analyses::builtin(); ///< Analyses that can run on traces; never null.
    std::shared_ptr<const CorrelatorRegistry> correlatorRegistry = CorrelatorRegistry::builtin(); ///< Correlators that can run; never null.
    std::vector<std::shared_ptr<const Correlation>>
        relations; ///< Results of the correlators, by index of the correlator; null or missing if the correlator did not run.
    bool appliesClocks = true; ///< True if clocks that correlators find are applied; false if times stay raw.
    ClockSettings clockSettings; ///< The user's settings for clocks.
    std::uint32_t reference = 0; ///< Index into `hosts` of the reference host.
    std::shared_ptr<CorrelationCache>
        answers; ///< Cache of correlations that were made on request, shared by all timelines of an experiment. May be null.
    std::vector<TimelineHost> hosts;
    std::vector<std::uint32_t> hostOrder; ///< Indices into `hosts` in display order; empty if the user set none.
    std::vector<Diagnostic> diagnostics; ///< Problems of the experiment as a whole: clock corrections, traces that could not be opened.
    /// From the first to the last event of all traces; during indexing, the range that the headers of CTF packets claim.
    TimeRange range{};
    bool isComplete = false;
    std::shared_ptr<Symbolizer> symbolizer; ///< Symbolizer of the experiment; null if addresses are not translated to names.
};

/// True if the name of any host is recorded. Otherwise each recording without a clock ID counts as a host of its own, and texts for the
/// user call these hosts recordings.
inline bool hasHostNames(const Timeline& timeline)
{
    return std::ranges::any_of(timeline.hosts, [](const TimelineHost& host) { return !host.name.empty(); });
}

/// Returns the index into Timeline::stores of an analysis's store for a trace. `analysis` is an index into Analyses::all().
std::size_t placeOf(const Timeline& timeline, std::size_t trace, std::size_t analysis);
/// Returns the store with a correlator's rows that are shown with a trace, as an index into Timeline::stores. `relation` is an index into
/// CorrelatorRegistry::all().
StoreIndex rowsOf(const Timeline& timeline, std::size_t trace, std::size_t relation);

/// True if `timeline`, opened again from the same traces with other analyses, has everything that `before` had: the facts of each trace,
/// and the stores of each analysis and of each correlator that runs after indexing. Analyses and correlators that are missing or switched
/// off in `timeline` are not required.
bool containsAllOf(const Timeline& timeline, const Timeline& before);

} // namespace helio
