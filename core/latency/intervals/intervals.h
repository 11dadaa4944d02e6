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

/// Intervals of any kind with names that tell hosts and virtual machines apart, as the window shows them.
namespace helio {

struct NamedInterval {
    TimeRange range; ///< A packet's may end before it begins.
    TrackRef row{}; ///< Row to show; not valid if none is known.
    std::string_view name; ///< With the host or the virtual machine if there are several. Valid during the call.
    const Segment* segment = nullptr; ///< nullptr if it is no segment. Valid during the call.
};

/// Lists the kinds of intervals that the timeline has, calls first, packets last.
std::vector<IntervalKind> intervalKinds(const std::shared_ptr<const Timeline>& timeline);
/// Finds a kind of intervals, also one that its id describes. Empty if the timeline does not have it.
std::optional<IntervalKind> findIntervalKind(const std::shared_ptr<const Timeline>& timeline, std::string_view id);

struct IntervalQuery {
    std::string kind; ///< IntervalKind::id
    TimeRange range = {Timestamp::min(), Timestamp::max()}; ///< Intervals that lie in it as a whole.
};

/// Calls `take` for each interval of the query in the order of their begins; never if there is no such kind. Ends early once `stop` is
/// requested. Threads: any but the UI thread. Cost: as the kind's source, and some 50 ns an interval for its name.
void forEachInterval(const std::shared_ptr<const Timeline>& timeline, const IntervalQuery& query,
                     const std::function<void(const NamedInterval&)>& take, std::stop_token stop = {});

/// Summarizes the durations by name, the largest sum first, each with at most `buckets` buckets. Cost: as forEachInterval(), and 8 bytes
/// for each interval until it is done.
std::vector<DurationStats> durationStats(const std::shared_ptr<const Timeline>& timeline, const IntervalQuery& query,
                                         std::size_t buckets = 0, std::stop_token stop = {});

struct LocatedInterval {
    TimeRange range;
    TrackRef row;
    std::string thread{}; ///< "dd 412": the thread that a request on a disk's row is of; empty if it is the row's, or unknown.
};

} // namespace helio
