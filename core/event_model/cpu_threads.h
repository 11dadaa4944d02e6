#pragma once

#include "core/store/store.h"

#include <vector>

namespace helio {

/// Finds the thread of one CPU at ascending times, from a finished kernel store.
///
/// Threads: to be used by one thread.
/// Ownership: the store must outlive the object.
/// Memory: a few thousand intervals.
class CpuThreads {
public:
    /// If the store has no row for the CPU, all queries return "unknown".
    CpuThreads(const Store& store, std::int32_t cpu);

    /// Returns the track of the thread on the CPU; NoTrack if the CPU is idle or its thread is unknown.
    /// Cost: fast if `time` does not decrease between calls; otherwise, intervals may be read from the store again.
    TrackId at(HostTimestamp time);
    /// Returns true if the CPU was in its idle thread. Requires: `time` is not much earlier than in the previous call.
    bool isIdleAt(HostTimestamp time);

private:
    const HostInterval* intervalAt(HostTimestamp time);
    StateCategory meaningOf(const HostInterval& interval) const;
    void load(HostTimestamp time);

    const Store& m_store;
    TrackId m_row;
    Duration m_step{}; ///< Length of the time range that load() reads per call.
    HostRange m_loaded{};
    std::vector<HostInterval> m_intervals;
    std::size_t m_next = 0; ///< Index of the first interval that ends after the time of the last query.
};

} // namespace helio
