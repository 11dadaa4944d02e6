#pragma once

#include "core/query/rows/rows.h"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace helio {

/// A thread's priority then, as the kernel's events have it: the lower, the more urgent. Nothing where it was not recorded. Cost: two
/// binary searches.
std::optional<std::int32_t> priorityAt(const Timeline& timeline, TrackRef thread, Timestamp at);

/// The same for very many questions about the same threads. One thread; the timeline outlives it.
/// Cost: reading a thread's priorities once, 16 bytes for each, and then a binary search.
class KnownPriorities {
public:
    explicit KnownPriorities(const Timeline& timeline)
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

/// Whether any thread's was recorded. Cost: as looking at all tracks.
bool hasPriorities(const Timeline& timeline);

} // namespace helio
