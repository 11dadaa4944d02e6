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

/// Intervals of any kind, with the names that the window shows: names that distinguish hosts and virtual machines.
namespace helio {

struct NamedInterval {
    TimeRange range; ///< Begin and end. The range of a packet may end before it begins, because of clock errors.
    TrackRef row{}; ///< Row to show; not valid if none is known.
    /// Name, followed by " of MACHINE" in rows of a virtual machine, or by " on HOST" if there are several hosts. Valid during the call.
    std::string_view name;
    const Segment* segment = nullptr; ///< Segment that the interval is; nullptr if it is not a segment. Valid during the call.
};

/// Lists the kinds of intervals that the timeline has, calls first, packets last.
std::vector<IntervalKind> intervalKinds(const std::shared_ptr<const Timeline>& timeline);
/// Finds a kind of intervals by its id, as findIntervalSource() does. nullopt if the timeline does not have it.
std::optional<IntervalKind> findIntervalKind(const std::shared_ptr<const Timeline>& timeline, std::string_view id);

struct IntervalQuery {
    std::string kind; ///< IntervalKind::id
    TimeRange range = {Timestamp::min(), Timestamp::max()}; ///< Only intervals that lie wholly in the range.
    /// Function whose calls, of all kinds of calls and on all hosts, are queried in place of `kind`; nullopt for the intervals of `kind`.
    std::optional<SampledFunction> function{};
};

/// Calls `take` for each interval of the query in the order of their begins; never if there is no such kind. Calls of a function come kind
/// by kind, all under the function's label, or its address. Ends early once `stop` is requested.
/// Threads: any but the UI thread.
/// Cost: that of the kind's IntervalSource, and about 50 ns per interval for its name.
void forEachInterval(const std::shared_ptr<const Timeline>& timeline, const IntervalQuery& query,
                     const std::function<void(const NamedInterval&)>& take, std::stop_token stop = {});

/// Summarizes the durations by name, the largest sum first, each with at most `buckets` buckets. Cost: as forEachInterval(), and 8 bytes
/// for each interval until it is done.
std::vector<DurationStats> durationStats(const std::shared_ptr<const Timeline>& timeline, const IntervalQuery& query,
                                         std::size_t buckets = 0, std::stop_token stop = {});

struct LocatedInterval {
    TimeRange range;
    TrackRef row;
    /// Thread of an interval that is not on the thread's own row, e.g. "dd 412" for a request on a disk's row. Empty if the row is the
    /// thread's, or if the thread is unknown.
    std::string thread{};
};

} // namespace helio
