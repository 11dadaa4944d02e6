#pragma once

#include "core/latency/intervals/duration_stats.h"
#include "core/latency/intervals/interval_source.h"

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

/// Intervals of any kind, with the names that the window shows. These names distinguish hosts and virtual machines.
namespace helio {

struct NamedInterval {
    TimeRange range; ///< Begin and end of the interval. Because of clock errors, a packet may end before it begins.
    TrackRef row{}; ///< Row on which the interval is shown; not valid if the row is unknown.
    /// Name of the interval, followed by " of MACHINE" in rows of a virtual machine, or by " on HOST" if there are several hosts. Valid
    /// during the call of `take`.
    std::string_view name;
    const Segment* segment = nullptr; ///< The segment if the interval is a segment, else nullptr. Valid during the call of `take`.
    bool isUnfinished = false; ///< True for a call without a recorded exit, so that its duration is a minimum.
};

/// Lists the kinds of intervals that the timeline has, calls first, network packets last.
std::vector<IntervalKind> intervalKinds(const std::shared_ptr<const Timeline>& timeline);
/// Finds a kind of intervals by its id, as findIntervalSource() does; nullopt if the timeline does not have the kind.
std::optional<IntervalKind> findIntervalKind(const std::shared_ptr<const Timeline>& timeline, std::string_view id);

struct IntervalQuery {
    std::string kind; ///< Id of the kind of intervals (IntervalKind::id), for example "syscall".
    TimeRange range = {Timestamp::min(), Timestamp::max()}; ///< Time range in which the queried intervals must lie completely.
    /// If set, the query is for the calls of this function, of all kinds of calls and on all hosts, and `kind` is ignored.
    std::optional<SampledFunction> function{};
};

/// Calls `take` for each interval of the query, in order of start times; never if the timeline does not have the kind. If the query
/// is for a function, the calls come one kind of calls after the other, each kind in order of start times. The name of a call is the
/// function's label, or its address if it has no label. Returns early once `stop` is requested.
/// Threads: any but the UI thread.
/// Cost: that of the kind's IntervalSource, and about 50 ns per interval for its name.
void forEachInterval(const std::shared_ptr<const Timeline>& timeline, const IntervalQuery& query,
                     const std::function<void(const NamedInterval&)>& take, std::stop_token stop = {});

/// Returns statistics of the durations for each name, ordered by decreasing total, each with at most `buckets` buckets.
/// Threads: any but the UI thread.
/// Cost: that of forEachInterval(), and 8 bytes of memory for each interval during the call.
std::vector<DurationStats> durationStats(const std::shared_ptr<const Timeline>& timeline, const IntervalQuery& query,
                                         std::size_t buckets = 0, std::stop_token stop = {});

struct LocatedInterval {
    TimeRange range;
    TrackRef row;
    /// Thread of the interval if the interval is not on the thread's own row, e.g. "dd 412" for a request on a disk's row. Empty if the row
    /// is the thread's own, or if the thread is unknown.
    std::string thread{};
};

} // namespace helio
