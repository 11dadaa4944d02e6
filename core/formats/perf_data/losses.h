#pragma once

#include "core/trace/event.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace helio::perf {

/// Collects what was lost while perf recorded, each event once: as gaps on the CPUs where the kernel reported them.
class Losses {
public:
    /// Any event, in the file's order: gaps begin at the last one before them on their CPU.
    void onEvent(HostTimestamp time, std::int32_t cpu);
    /// The kernel says at that moment how much it could not write since the last event there.
    void addGap(HostTimestamp time, std::int32_t cpu, std::uint64_t events);
    /// The recorder says, as it ends, what an event lost in all (record__read_lost_samples in perf's builtin-record.c): the sum of what the
    /// kernel reported, and of what it could not report any more.
    void addToSum(std::uint64_t events);

    /// By their begin; what only the sums have is a gap at `end`, on no CPU that is known.
    std::vector<Loss> take(HostTimestamp end);

private:
    std::vector<Loss> m_gaps;
    std::uint64_t m_inGaps = 0;
    std::uint64_t m_inAll = 0; ///< As the recorder summed them up.
    std::unordered_map<std::int32_t, HostTimestamp> m_lastOfCpu;
    HostTimestamp m_last; ///< Of any.
};

} // namespace helio::perf
