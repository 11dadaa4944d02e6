#pragma once

#include "core/base/diagnostic.h"
#include "core/base/result.h"
#include "core/clock/clock_transform.h"
#include "core/correlation/host_comparison.h"
#include "core/correlation/inter_trace_links.h"
#include "core/event_model/thread_fields.h"
#include "core/store/store.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <tuple>
#include <vector>

namespace helio {

struct Timeline;
struct TrackView;

/// A thread, identified by the TID in its own trace, which may be a TID inside a container.
struct NumberedThread {
    std::uint32_t trace = 0; ///< Index into Timeline::traces.
    std::uint32_t pidNamespace = 0; ///< Inode number of the thread's PID namespace; 0 if it is the host's namespace or not recorded.
    std::int32_t tid = -1;
    auto operator<=>(const NumberedThread&) const = default;
};

/// Host TID of each thread for which its own trace recorded a different TID. A thread without an entry has the same TID on the host, unless
/// its trace recorded a TID of a PID namespace: the host TID is then unknown. The value -1 means that no kernel trace of the host contains
/// the thread.
using ThreadNumbers = std::map<NumberedThread, std::int32_t>;

struct Transmissions;

/// The row and time range for which a correlator computes a result.
struct CorrelatorRequest {
    TrackRef row{}; ///< Row of interest; not valid if the request is about no particular row.
    TimeRange range{}; ///< Time range of interest; empty for the range of the whole experiment.
    Duration timeLimit{}; ///< Time after which the correlator may return an incomplete result; 0 if the result must be complete.
    bool operator==(const CorrelatorRequest&) const = default;
};

struct ClockCorrection {
    std::uint32_t trace = 0; ///< Index into Timeline::traces.
    ClockTransform clock{};
    /// Index of another trace: the clock of `trace` was compared with its clock. If the two traces are of different hosts, the timeline
    /// considers these hosts synchronized.
    std::uint32_t reference = 0;
    std::optional<Diagnostic> note{}; ///< Message for the user about the correction of the trace's times; nullopt if none.
};

/// Rows that a correlator adds to a trace. Their times are on the experiment's time axis.
struct CorrelatorRows {
    /// Index of a trace in the timeline; views show the rows with this trace. A correlator has at most one store for each trace.
    std::uint32_t trace = 0;
    std::shared_ptr<const Store> store;
    bool belongsToAllTraces = false; ///< True if the rows belong to all traces together; `trace` then only determines their position.
};

/// Converts a time of the experiment to the timestamp type of the stores in CorrelatorRows.
constexpr HostTimestamp onAxis(Timestamp at) { return hostTime(nanoseconds(at)); }

/// Result of a correlator: clock corrections, links, rows and messages between traces. Exists in memory only.
struct Correlation {
    std::vector<ClockCorrection> clocks{}; ///< Corrections of the clocks of traces, for the traces whose times the correlator can improve.
    InterTraceLinks links{};
    std::vector<CorrelatorRows> rows{};
    std::vector<Diagnostic> diagnostics{};
    /// Host TIDs of threads that have different TIDs in traces of the same host; null if the correlator does not look for such threads.
    std::shared_ptr<const ThreadNumbers> threads{};
    /// Messages between traces, e.g. network packets; null if the correlator finds no messages.
    std::shared_ptr<const Transmissions> messages{};
    /// Comparisons of the hosts' clocks that were computed from `messages`; null if hosts were not compared.
    std::shared_ptr<const std::vector<HostComparison>> comparisons{};
    bool isPart = false; ///< True if the result is incomplete because CorrelatorRequest::timeLimit was exceeded.
};

/// A correlator finds links and clocks that connect traces, for example packets between hosts, common clocks, or the path of a request.
///
/// Immutable.
/// Threads: all methods may be called from several threads at once.
class Correlator {
public:
    enum class When : std::uint8_t {
        Opened, ///< Runs when the traces have been opened, but not indexed: the traces' descriptions exist, but no stores.
        /// Runs once, after all traces were indexed. The correlator can read stores and facts, except those of traces that could not be
        /// read.
        Indexed,
        Asked, ///< Runs for each request of the user separately (core/query/related).
        Shown, ///< Runs once, without a request, when the user first shows rows of this correlator's views (core/query/related).
    };

    virtual ~Correlator() = default;

    virtual std::string_view id() const = 0; ///< Id that is unique among correlators, for example "same-boot".
    virtual When when() const = 0;
    /// True if the correlator can compare the clocks of hosts from the traces alone, without stores.
    virtual bool comparesHosts() const { return false; }
    /// Returns the views of the correlator's rows. The views live as long as the correlator.
    virtual std::span<const TrackView> views() const;

    /// Returns true if the timeline contains data that the correlator can use.
    /// Cost: must be small, because it is called whenever traces are opened.
    virtual bool appliesTo(const Timeline& timeline) const = 0;
    /// Computes the correlator's result. For links to its own rows, a correlator gets the index of their store
    /// from rowsOf() of core/experiment/timeline.h.
    /// Requires: appliesTo(timeline). make() must not request the same result again through core/query/related.
    /// Errors: Usage if the correlator cannot handle `question`; Cancelled soon after `stop` is requested.
    virtual Result<Correlation> make(const Timeline& timeline, const CorrelatorRequest& question, std::stop_token stop) const = 0;

    /// Returns the links of `found`, computed for the timeline's current clocks. Called again whenever the clocks change. The default
    /// implementation returns found.links.
    virtual InterTraceLinks linksOn(const Timeline& timeline, const Correlation& found) const;
};

/// A built-in correlator. Each folder of core/correlators defines one.
struct BuiltinCorrelator {
    std::shared_ptr<const Correlator> (*make)();
};

/// Returns all built-in correlators. The build generates this function from the folder names in core/correlators.
std::span<const BuiltinCorrelator* const> builtinCorrelators();

} // namespace helio
