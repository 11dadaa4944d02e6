#pragma once

#include "core/query/rows/rows.h"

#include <cstdint>
#include <map>
#include <span>
#include <stop_token>
#include <vector>

namespace helio {

/// An interval in which a thread was on a CPU, without interruption.
struct ThreadRun {
    TimeRange range;
    std::int32_t cpu = -1;
    bool operator==(const ThreadRun&) const = default;
};

/// The intervals in which threads were on CPUs, taken from the rows of the CPUs. Immutable.
/// Memory: 24 bytes per run.
/// Cost: reads all intervals of the rows with the CPUs' threads once.
class ThreadRuns {
public:
    explicit ThreadRuns(const Timeline& timeline, std::stop_token stop = {});

    /// Returns the times of a thread on CPUs, in time order; empty if unknown. They overlap only if the recording is inconsistent.
    std::span<const ThreadRun> of(TrackRef thread) const;
    const std::map<TrackRef, std::vector<ThreadRun>>& all() const { return m_runs; }

private:
    std::map<TrackRef, std::vector<ThreadRun>> m_runs;
};

} // namespace helio
