#pragma once

#include "app/cli/commands/latency_options.h"
#include "app/cli/selection/requested_analyses.h"
#include "app/cli/selection/row_selection.h"
#include "core/latency/intervals/duration_stats.h"
#include "core/latency/intervals/interval_source.h"
#include "core/profiling/calls/recorded_cpu_times.h"
#include "core/query/rows/thread_cpu_times.h"
#include "core/virtualization/steal_time_clock.h"
#include "core/virtualization/virtual_machine_names.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace helio {

/// An interval that `latency` prints. Its string views and references are only valid during the callback.
struct LatencyInterval {
    TimeRange range; ///< Range of the interval; the end may be before the start for packets between hosts.
    std::string_view name;
    const Row& row; ///< Row on which the interval begins.
    std::optional<std::int64_t> value{}; ///< Value of the segment; nullopt if segments of the kind have no values.
    /// True if the interval is a segment from a store that a correlator made from several traces; the segment then belongs to no single
    /// trace.
    bool isOfAllTraces = false;
    std::string_view fields{}; ///< Fields of the interval as "k=v;k=v"; empty if it has none.
    std::optional<CallPart> call{}; ///< Call-specific data, e.g. self time; nullopt if the interval is not a call.
    std::optional<Duration> error{}; ///< Error bound of a network packet's transit time; Duration::max() if unknown.
    std::string_view machine{}; ///< Name of the virtual machine that the interval belongs to; empty if none.
    bool isUnfinished = false; ///< SourceInterval::isUnfinished.
    Duration stolen{}; ///< Steal time inside the range, which length() subtracts.

    Duration length() const { return lengthOf(range) - stolen; }
};

/// Query for intervals. The options select the intervals by kind (--of), by row and by filter.
/// Threads: to be used by one thread at a time.
/// Ownership: the options outlive the object.
class LatencyIntervals {
public:
    /// Creates a query. Requires: `views` has one view, or all views of the timeline.
    LatencyIntervals(const LatencyOptions& options, std::shared_ptr<const Timeline> timeline, std::vector<std::string> views);

    /// Checks that the timeline has intervals of the requested kind.
    /// Errors: Usage if it does not; the message lists the timeline's kinds, and kinds of analyses that run only on request
    /// (`requestable`).
    Status check(const std::function<RequestableAnalyses()>& requestable) const;

    /// Returns the title of the segments' values; empty if the segments have no values.
    const std::string& valueTitle() const { return m_kind.valueTitle; }
    bool areCalls() const { return m_kind.areCalls; } ///< True if the intervals are calls of functions.

    /// Returns the interval kind for parts of network packets that were split or merged on their way, and the number of such parts in
    /// `window`; nullopt if there are none.
    std::optional<std::pair<std::string, std::uint64_t>> parts(TimeRange window) const;

    /// Calls `take` for each interval that lies completely in `window`. Lists get the intervals in time order; summaries and histograms get
    /// them row by row. In summaries and histograms, LatencyInterval::name includes the virtual machine of the interval, if there is one.
    /// With --by hosts, the names of all other intervals include the host. Returns the number of intervals. If this number is 0, prints
    /// which events were not recorded.
    std::uint64_t each(TimeRange window, const std::function<void(const LatencyInterval&)>& take) const;

private:
    using Take = std::function<void(const LatencyInterval&)>;

    /// A row with intervals, and cached data about the row. The object must not move, because `facts` points to `row`.
    struct CachedRow {
        Row row;
        bool isChosen = false;
        RowFacts facts;
        std::string machine{};
        std::optional<GuestThreadAt> inside{}; ///< Lookup of the guest thread at a time; only for lists of a vCPU's segments.
        std::string fields{}; ///< Buffer for LatencyInterval::fields: "thread=NAME", the guest thread that ran during the last interval.
    };

    void forEachWithoutSteal(TimeRange window, const Take& take) const;
    void forEachNamed(TimeRange window, const Take& take) const;
    void forEach(TimeRange window, const Take& take) const;
    LatencyInterval printed(const SourceInterval& it, CachedRow& known, ThreadCpuTimes* clocks, RecordedCpuTimes& recorded) const;
    void excludeStealTime(LatencyInterval& interval, StealTimeClock& clock) const;
    bool isInView(const Row& row) const;
    void cacheRow(CachedRow& it, Row row) const;
    void cacheMachine(CachedRow& it, TrackRef row) const;
    Status checkCpu() const;
    std::string missingField() const;
    std::string kindsThere(const std::vector<std::string>& patterns) const;

    const LatencyOptions& m_options;
    std::shared_ptr<const Timeline> m_shared;
    const Timeline& m_timeline;
    std::vector<std::string> m_views;
    RowSelection m_selection;
    /// Error that says why the requested kind of intervals does not exist; success if the kind exists, or if the reason is unknown.
    Status m_found = Done{};
    std::unique_ptr<IntervalSource> m_source; ///< Source of the intervals; nullptr if the kind does not exist.
    IntervalKind m_kind;
    std::optional<VirtualMachineNames> m_machines; ///< Names of virtual machines; set only if segments belong to virtual machines.
};

} // namespace helio
