#pragma once

#include "core/trace/event.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace helio::perf {

/// Collects the events that were lost during recording, each event once. A loss is a gap on the CPU where the kernel reported it.
class LossCollector {
public:
    /// Notes an event. Must be called for each event in the file's order: a gap begins at the last event before it on its CPU.
    void onEvent(HostTimestamp time, std::int32_t cpu);
    /// Adds a gap. At `time`, the kernel reported the number of events that it could not write since the last event on `cpu`.
    void addGap(HostTimestamp time, std::int32_t cpu, std::uint64_t events);
    /// Adds a total that the recorder writes at its end: the number of lost samples of an event (record__read_lost_samples in perf's
    /// builtin-record.c). It includes the losses that the kernel reported and those that it could no longer report.
    void addRecorderTotal(std::uint64_t events);

    /// Returns the losses sorted by their begin. Events that only the totals include become a loss at `end` on an unknown CPU.
    std::vector<Loss> take(HostTimestamp end);

private:
    std::vector<Loss> m_gaps;
    std::uint64_t m_inGaps = 0; ///< Number of lost events in m_gaps.
    std::uint64_t m_inAll = 0; ///< Number of lost events by the recorder's totals.
    std::unordered_map<std::int32_t, HostTimestamp> m_lastOfCpu;
    HostTimestamp m_last; ///< Time of the last event on any CPU.
};

} // namespace helio::perf
