#pragma once

#include "app/cli/commands/latency_options.h"
#include "app/cli/selection/chosen_analyses.h"
#include "app/cli/selection/row_selection.h"
#include "core/latency/intervals/interval_source.h"
#include "core/latency/intervals/lengths_by_name.h"
#include "core/query/rows/thread_clock.h"
#include "core/virtualization/machine_names.h"
#include "core/virtualization/stolen_clock.h"

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

/// An interval that the command prints. Views are valid during the call.
struct LatencyInterval {
    TimeRange range; ///< A packet's may end before it begins.
    std::string_view name;
    const Row& row; ///< Where it begins.
    std::optional<std::int64_t> value{}; ///< Only segments whose kind has values.
    bool isOfAllTraces = false; ///< A segment that all traces have together.
    std::string_view fields{}; ///< "k=v;k=v"
    std::optional<CallPart> call{}; ///< Only frames.
    std::optional<Duration> error{}; ///< Error bound of a packet's duration; Duration::max() if unknown.
    std::string_view machine{}; ///< Virtual machine that it is of; empty if none.
    Duration stolen{}; ///< Part of the duration that is left out.

    Duration length() const { return lengthOf(range) - stolen; }
};

/// Intervals of the kind that --of names, on the rows and with the filter of the options. Threads: one at a time. Ownership: the options
/// outlive it.
class LatencyIntervals {
public:
    /// Requires: `views` is one view, or all views of the timeline.
    LatencyIntervals(const LatencyOptions& options, std::shared_ptr<const Timeline> timeline, std::vector<std::string> views);

    /// Errors: Usage: the timeline has no such kind; the message lists the kinds that it has, and those that `askable` says could be asked
    /// for.
    Status check(const std::function<AskableAnalyses()>& askable) const;

    /// Title of the segments' values; empty if they have none.
    const std::string& valueTitle() const { return m_kind.valueTitle; }

    /// Kind and number of the packets in `window` that were cut or joined on their way; empty if there are none.
    std::optional<std::pair<std::string, std::uint64_t>> parts(TimeRange window) const;

    /// Calls `take` for each interval that lies in the window as a whole, in time order, or row by row for sums. In sums, names are told
    /// apart by virtual machine, or by host if asked for. Returns their number; if there is none, the user is told what was not recorded.
    std::uint64_t each(TimeRange window, const std::function<void(const LatencyInterval&)>& take) const;

private:
    using Take = std::function<void(const LatencyInterval&)>;

    /// A row that intervals are on. `facts` points to `row`, so that it stays at its address.
    struct KnownRow {
        Row row;
        bool isChosen = false;
        RowFacts facts;
        std::string machine{};
        std::optional<GuestThreadAt> inside{}; ///< Who ran in the guest; only for lists of a vCPU's segments.
        std::string fields{}; ///< Who ran in the guest at the last interval.
    };

    void forEachWithoutStolen(TimeRange window, const Take& take) const;
    void forEachNamed(TimeRange window, const Take& take) const;
    void forEach(TimeRange window, const Take& take) const;
    LatencyInterval printed(const SourceInterval& it, KnownRow& known, ThreadClocks* clocks) const;
    void leaveOutStolen(LatencyInterval& interval, StolenClock& clock) const;
    bool isInView(const Row& row) const;
    void know(KnownRow& it, Row row) const;
    void knowMachine(KnownRow& it, TrackRef row) const;
    Status checkCpu() const;
    std::string missingField() const;
    std::string kindsThere(const std::vector<std::string>& patterns) const;

    const LatencyOptions& m_options;
    std::shared_ptr<const Timeline> m_shared;
    const Timeline& m_timeline;
    std::vector<std::string> m_views;
    RowSelection m_selection;
    Status m_found = Done{}; ///< Why there is no such kind; success also if nothing more is known than that.
    std::unique_ptr<IntervalSource> m_source; ///< nullptr if there is no such kind.
    IntervalKind m_kind;
    std::optional<MachineNames> m_machines; ///< Only where segments are of virtual machines.
};

} // namespace helio
