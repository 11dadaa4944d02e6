#pragma once

#include "core/query/rows/rows.h"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace helio {

/// Returns a thread's priority at a time, as recorded by kernel events: lower is more urgent. nullopt if it was not recorded.
/// Cost: two binary searches.
std::optional<std::int32_t> priorityAt(const Timeline& timeline, TrackRef thread, Timestamp at);

/// Cache of thread priorities, for callers that look up the same threads at many different times.
/// Threads: to be used by one thread; the timeline outlives the object.
/// Cost: reads a thread's priorities once (16 bytes for each), then one binary search per lookup.
class PriorityCache {
public:
    explicit PriorityCache(const Timeline& timeline)
        : m_timeline(timeline)
    {
    }
    std::optional<std::int32_t> at(TrackRef thread, Timestamp at);

private:
    struct From {
        Timestamp begin;
        std::optional<std::int32_t> priority;
    };
    std::vector<From> read(TrackRef thread) const;

    const Timeline& m_timeline;
    std::map<TrackRef, std::vector<From>> m_threads;
};

/// True if the priority of any thread was recorded.
/// Cost: looks at all tracks.
bool hasPriorities(const Timeline& timeline);

} // namespace helio
