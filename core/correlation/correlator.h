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

/// A thread as its own trace numbers it.
struct NumberedThread {
    std::uint32_t trace = 0; ///< Index in the timeline.
    std::uint32_t pidNamespace = 0; ///< Inode number of the PID namespace; 0: the trace does not say, or the host's.
    std::int32_t tid = -1;
    auto operator<=>(const NumberedThread&) const = default;
};

/// TIDs of threads on their host, for threads that their own trace numbers differently. A thread without an entry has the TID that its
/// trace gives it; if that is a TID in a PID namespace, the TID on the host is unknown. An entry of -1 means that no thread in the host's
/// kernel traces is this thread.
using ThreadNumbers = std::map<NumberedThread, std::int32_t>;

struct Transmissions; // core/correlation/transmissions.h

/// The range and row that a correlator is asked about.
struct CorrelatorRequest {
    TrackRef row{}; ///< Not valid if the question is not about one row.
    TimeRange range{}; ///< Empty for the range of the whole experiment.
    Duration timeLimit{}; ///< Time after which the correlator may return an incomplete result; 0 if the result must be complete.
    bool operator==(const CorrelatorRequest&) const = default;
};

/// A correction of one trace's clock: leads from the trace's clock to the experiment's.
struct ClockCorrection {
    std::uint32_t trace = 0; ///< Index in the timeline.
    ClockTransform clock{};
    /// Index of the trace that the clock was compared with. If that is on another host, both hosts are synchronized.
    std::uint32_t reference = 0;
    std::optional<Diagnostic> note{}; ///< A message for the user about the corrected times.
};

/// A correlator's rows that are shown with a trace. Their times are the experiment's.
struct CorrelatorRows {
    std::uint32_t trace = 0; ///< Index in the timeline. A correlator has at most one store for each trace.
    std::shared_ptr<const Store> store;
    bool belongsToAllTraces = false; ///< True if the rows belong to all traces together and are only placed at this trace.
};

/// Converts a time of the experiment for a store of CorrelatorRows.
constexpr HostTimestamp onAxis(Timestamp at) { return hostTime(nanoseconds(at)); }

/// The result of a correlator: clocks, links, rows and messages between traces. Kept in memory only.
struct Correlation {
    std::vector<ClockCorrection> clocks{}; ///< Corrections for the traces whose clocks the correlator knows better.
    InterTraceLinks links{};
    std::vector<CorrelatorRows> rows{};
    std::vector<Diagnostic> diagnostics{};
    /// Threads that have other TIDs in other traces of their hosts; null if the correlator does not look for them.
    std::shared_ptr<const ThreadNumbers> threads{};
    std::shared_ptr<const Transmissions> messages{}; ///< Null if the correlator finds no messages.
    /// Comparisons of hosts' clocks by the messages; null if there are none.
    std::shared_ptr<const std::vector<HostComparison>> comparisons{};
    bool isPart = false; ///< True if the result is incomplete because CorrelatorRequest::timeLimit ran out.
};

/// A correlator: finds relations between traces, for example packets between hosts, common clocks, or the path of a request.
///
/// Immutable.
/// Threads: all methods from any thread at once.
class Correlator {
public:
    enum class When : std::uint8_t {
        Opened, ///< Right after the traces were opened, from their descriptions. There are no stores yet.
        Indexed, ///< Once, after indexing. Stores and facts are missing for traces that could not be read.
        Asked, ///< On request only (core/query/related), for each question separately.
        Shown, ///< Once, when rows of its views are first shown, without a question (core/query/related).
    };

    virtual ~Correlator() = default;

    virtual std::string_view id() const = 0; ///< Id that is unique among correlators, for example "same-boot".
    virtual When when() const = 0;
    /// True if it can compare hosts' clocks from their traces alone, without stores.
    virtual bool comparesHosts() const { return false; }
    /// Views that its rows are in. They live as long as the correlator.
    virtual std::span<const TrackView> views() const;

    /// True if the timeline has anything for the correlator.
    /// Cost: small; it is called whenever traces are opened.
    virtual bool appliesTo(const Timeline& timeline) const = 0;
    /// Makes the correlator's result. Tracks of its own rows are named by rowsOf() of core/experiment/timeline.h. Requires:
    /// appliesTo(timeline), and no call with the same question from inside make() (core/query/related).
    /// Errors: Usage if the question does not suit the correlator; Cancelled, soon after `stop` is requested.
    virtual Result<Correlation> make(const Timeline& timeline, const CorrelatorRequest& question, std::stop_token stop) const = 0;

    /// Computes the links of a result for the timeline's current clocks; called again whenever clocks changed. The default returns the
    /// links that make() returned.
    virtual InterTraceLinks linksOn(const Timeline& timeline, const Correlation& found) const;
};

/// A built-in correlator: an item of the shelf core/correlators.
struct BuiltinCorrelator {
    std::shared_ptr<const Correlator> (*make)();
};

/// All built-in correlators. Generated from the folders of core/correlators.
std::span<const BuiltinCorrelator* const> builtinCorrelators();

} // namespace helio
