#pragma once

#include "app/cli/commands/latency_options.h"
#include "app/cli/selection/requested_analyses.h"
#include "app/cli/selection/row_selection.h"
#include "core/latency/intervals/duration_stats.h"
#include "core/latency/intervals/interval_source.h"
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

/// An interval that `latency` prints. Its views and references are valid during the callback only.
struct LatencyInterval {
    TimeRange range; ///< A packet's range may end before it begins.
    std::string_view name;
    const Row& row; ///< Row on which the interval begins.
    std::optional<std::int64_t> value{}; ///< Value of the segment; nullopt if the kind has no values.
    bool isOfAllTraces = false; ///< Segment that belongs to all traces together.
    std::string_view fields{}; ///< Fields as "k=v;k=v"; empty if none.
    std::optional<CallPart> call{}; ///< Frame of the call; nullopt if the interval is no call.
    std::optional<Duration> error{}; ///< Error bound of a packet's duration; Duration::max() if unknown.
    std::string_view machine{}; ///< Name of the virtual machine that the interval belongs to; empty if none.
    Duration stolen{}; ///< Steal time inside the range, which length() leaves out.

    Duration length() const { return lengthOf(range) - stolen; }
};

/// Intervals of the kind that --of names, on the selected rows and accepted by the filter.
/// Threads: to be used by one thread at a time. Ownership: the options outlive the object.
class LatencyIntervals {
public:
    /// Requires: `views` is one view, or all views of the timeline.
    LatencyIntervals(const LatencyOptions& options, std::shared_ptr<const Timeline> timeline, std::vector<std::string> views);

    /// Checks that the timeline has the kind.
    /// Errors: Usage if it does not; the message lists its kinds, and the kinds that `requestable` reports as available on request.
    Status check(const std::function<RequestableAnalyses()>& requestable) const;

    /// Title of the segments' values; empty if they have none.
    const std::string& valueTitle() const { return m_kind.valueTitle; }

    /// Kind and number of the packets in `window` that were cut or joined on their way; empty if there are none.
    std::optional<std::pair<std::string, std::uint64_t>> parts(TimeRange window) const;

    /// Calls `take` for each interval that lies completely in the window: in time order for lists, row by row for sums. Sums keep names
    /// apart by virtual machine, or by host with --by hosts. Returns the number of intervals; if it is 0, tells the user what was not
    /// recorded.
    std::uint64_t each(TimeRange window, const std::function<void(const LatencyInterval&)>& take) const;

private:
    using Take = std::function<void(const LatencyInterval&)>;

    /// A row with intervals. `facts` points to `row`, hence the object must keep its address.
    struct CachedRow {
        Row row;
        bool isChosen = false;
        RowFacts facts;
        std::string machine{};
        std::optional<GuestThreadAt> inside{}; ///< Guest thread at a given time; only for lists of a vCPU's segments.
        std::string fields{}; ///< Guest thread at the last interval, as "k=v".
    };

    void forEachWithoutSteal(TimeRange window, const Take& take) const;
    void forEachNamed(TimeRange window, const Take& take) const;
    void forEach(TimeRange window, const Take& take) const;
    LatencyInterval printed(const SourceInterval& it, CachedRow& known, ThreadCpuTimes* clocks) const;
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
    Status m_found = Done{}; ///< Reason why the kind does not exist; success if the kind exists or no reason is known.
    std::unique_ptr<IntervalSource> m_source; ///< nullptr if the kind does not exist.
    IntervalKind m_kind;
    std::optional<VirtualMachineNames> m_machines; ///< Only if segments belong to virtual machines.
};

} // namespace helio
