#pragma once

#include "core/query/segments/segments.h"

#include <map>
#include <optional>
#include <stop_token>
#include <vector>

namespace helio {

/// Returns the CPU time of a call that the application itself recorded; nullopt if it recorded none.
/// Cost: reads a block of segments.
std::optional<Duration> recordedCpuTime(const Timeline& timeline, const Segment& call);

/// CPU times of many calls, see recordedCpuTime().
///
/// Threads: to be used by one thread. Ownership: the timeline must outlive the object.
/// Cost: the first query of a store reads the CPU times of all its calls. Memory: 40 bytes for each call with a recorded CPU time.
class RecordedCpuTimes {
public:
    explicit RecordedCpuTimes(const Timeline& timeline, std::stop_token stop = {});

    /// True if the store of the call has CPU times of calls.
    bool areRecordedWith(const Segment& call) { return !timesOf(call.store).empty(); }
    std::optional<Duration> of(const Segment& call);

private:
    const std::vector<HostSegment>& timesOf(StoreIndex store);

    const Timeline& m_timeline;
    std::stop_token m_stop;
    std::map<StoreIndex, std::vector<HostSegment>> m_times; ///< Segments of the kind CallCpuTimes of each queried store, in their order.
};

} // namespace helio
