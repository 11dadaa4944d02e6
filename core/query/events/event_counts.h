#pragma once

#include "core/base/time.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

struct Timeline;

/// How many events of a type there are on a host, whatever their trace.
struct EventTypeCount {
    std::string name;
    std::uint32_t host = 0;
    std::uint64_t count = 0;
    std::vector<std::uint64_t> byCpu; ///< As long as the highest CPU number needs; events without a CPU are in none.
};

/// Counts the events of the range by type and host, the most frequent first, then by name. Walks them: some 10 to 50 ns an event.
/// `onProgress` is called from this thread with the share done (0 to 1). Empty once `stop` is requested.
std::vector<EventTypeCount> countEventTypes(std::shared_ptr<const Timeline> timeline, TimeRange range,
                                            const std::function<void(double)>& onProgress = {}, std::stop_token stop = {});

/// Counts events one by one, as countEventTypes() does. One thread; the timeline outlives it.
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
    std::vector<std::vector<PerType>> m_types; ///< By trace and type.
};

} // namespace helio
