#pragma once

#include "core/query/rows/rows.h"

#include <cstdint>
#include <map>
#include <span>
#include <stop_token>
#include <vector>

namespace helio {

/// A stretch that a thread was on a CPU.
struct ThreadRun {
    TimeRange range;
    std::int32_t cpu = -1;
    bool operator==(const ThreadRun&) const = default;
};

/// On which CPUs threads were, as their CPUs' rows have it. Immutable. Cost: as reading all intervals of the CPUs' threads once; 24 bytes a
/// run.
class ThreadRuns {
public:
    explicit ThreadRuns(const Timeline& timeline, std::stop_token stop = {});

    /// In time order; they do not overlap but where a recording contradicts itself. Empty where nobody knows.
    std::span<const ThreadRun> of(TrackRef thread) const;
    const std::map<TrackRef, std::vector<ThreadRun>>& all() const { return m_runs; }

private:
    std::map<TrackRef, std::vector<ThreadRun>> m_runs;
};

} // namespace helio
