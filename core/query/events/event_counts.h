#pragma once

#include "core/base/time.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace helio {

struct Timeline;

/// Number of events of a type on a host, over all its traces.
struct EventTypeCount {
    std::string name;
    std::uint32_t host = 0;
    std::uint64_t count = 0;
    /// Number of events on each CPU, indexed by CPU number up to the highest CPU seen; omits events without a CPU.
    std::vector<std::uint64_t> byCpu;
};

/// Counts the events of the range by type and host. The most frequent types come first, equally frequent ones by name. Calls `onProgress`
/// from the calling thread with the share done (0 to 1). Returns an empty vector if `stop` is requested.
/// Cost: iterates over the events; about 10 to 50 ns per event.
std::vector<EventTypeCount> countEventTypes(std::shared_ptr<const Timeline> timeline, TimeRange range,
                                            const std::function<void(double)>& onProgress = {}, std::stop_token stop = {});

/// Counts events by type and host, for callers that iterate over the events themselves. The result of counts() is sorted like that of
/// countEventTypes(): the most frequent types come first.
/// Threads: to be used by one thread. Ownership: the timeline outlives the object.
class EventTypeCounter {
public:
    explicit EventTypeCounter(const Timeline& timeline);
    void add(std::uint32_t trace, std::uint32_t type, std::int32_t cpu);
    std::vector<EventTypeCount> counts() const;

private:
    struct PerType {
        std::uint64_t count = 0;
        std::vector<std::uint64_t> byCpu;
    };
    const Timeline& m_timeline;
    std::vector<std::vector<PerType>> m_types; ///< Counts of events: m_types[trace][event type].
};

/// Returns pairs of event name and number of events, the most frequent first. Counts only events that were indexed.
std::vector<std::pair<std::string, std::uint64_t>> eventCounts(const Timeline& timeline);

} // namespace helio
