#pragma once

#include "core/store/store.h"

#include <vector>

namespace helio {

/// Which thread a CPU had while time goes on, as a finished store says it. One thread; the store outlives it. Memory: some thousand
/// intervals.
class CpuThreads {
public:
    /// Of a CPU of which the store has nothing nothing is known.
    CpuThreads(const Store& store, std::int32_t cpu);

    /// The thread's track; NoTrack: idle, or not known. Requires: not much before the time it was asked for last.
    TrackId at(HostTimestamp time);
    /// It had its idle thread. Requires: as at().
    bool isIdleAt(HostTimestamp time);

private:
    const HostInterval* intervalAt(HostTimestamp time);
    Meaning meaningOf(const HostInterval& interval) const;
    void load(HostTimestamp time);

    const Store& m_store;
    TrackId m_row;
    Duration m_step{}; ///< That is loaded at a time.
    HostRange m_loaded{};
    std::vector<HostInterval> m_intervals;
    std::size_t m_next = 0; ///< The first that did not end before the last time.
};

} // namespace helio
