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
    std::vector<std::uint64_t> byCpu; ///< Indexed by CPU number, up to the highest one seen; events without a CPU are in no element.
};

/// Counts the events of the range by type and host, the most frequent first, then by name. `onProgress` is called from the calling thread
/// with the share done (0 to 1). Returns an empty vector once `stop` is requested.
/// Cost: walks the events; about 10 to 50 ns each.
std::vector<EventTypeCount> countEventTypes(std::shared_ptr<const Timeline> timeline, TimeRange range,
                                            const std::function<void(double)>& onProgress = {}, std::stop_token stop = {});

/// Counts events one by one, for callers that walk them anyway; the result is in the order of countEventTypes().
/// Threads: to be used by one thread; the timeline outlives the object.
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
    std::vector<std::vector<PerType>> m_types; ///< Indexed by trace and event type.
};

/// Returns the number of events of each name, the most frequent first. Counts only events that were read.
std::vector<std::pair<std::string, std::uint64_t>> eventCounts(const Timeline& timeline);

} // namespace helio
