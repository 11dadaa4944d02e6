#pragma once

#include "core/virtualization/cpu_occupants.h"

#include <map>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace helio {

/// Share of one CPU occupant in a vCPU's wait for a CPU.
struct OccupantShare {
    std::uint32_t taker = 0; ///< Index into VcpuWaitFinder::takers().
    Duration total{}; ///< Time for which the occupant had the CPU.
    Timestamp first{}; ///< Time at which the occupant had the CPU first.
    std::uint32_t count = 0; ///< How often the occupant got the CPU.
};

/// A wait of a vCPU for a CPU of its host: the vCPU could have run, but had no CPU.
struct VcpuWait {
    TimeRange range{};
    bool isPreempted = false; ///< True if the vCPU was preempted; false if it waits for a CPU after it was blocked.
    std::uint32_t firstOccupant = 0; ///< Index of its first occupant in VcpuWaitList::taken.
    std::uint32_t taken = 0; ///< Count of its occupants, sorted by `total` from the longest. The totals add up to the range.
    std::int32_t cpu = -1; ///< CPU that the vCPU was preempted on or waits for; -1 if unknown.
};

/// The waits of one vCPU in the order of time; they do not overlap.
struct VcpuWaitList {
    std::vector<VcpuWait> all;
    std::vector<OccupantShare> taken; ///< Occupants of all waits; see VcpuWait::firstOccupant.

    std::span<const OccupantShare> occupantsDuring(const VcpuWait& it) const
    {
        return std::span(taken).subspan(it.firstOccupant, it.taken);
    }
};

/// Finds the waits of vCPUs for CPUs and the occupants of the CPUs meanwhile. For a nested virtual machine, the time in which the outer
/// machine's vCPU does not run counts as a wait, too. Results are computed on demand and kept.
/// Ownership: keeps references to the timeline and the machines, which must outlive it.
/// Threads: to be used by one thread.
/// Memory: about 100 bytes for each wait.
class VcpuWaitFinder {
public:
    /// Considers only `window`; waits that exceed the window are cut.
    VcpuWaitFinder(const Timeline& timeline, const std::vector<VirtualMachine>& all, TimeRange window, std::stop_token stop = {});

    /// Returns the waits of a vCPU, given as indexes; fewer if `stop` was requested.
    /// Cost: about 2 us for each wait if the thread stays on its CPU.
    const VcpuWaitList& of(std::uint32_t machine, std::uint32_t vcpu);
    const std::vector<CpuOccupant>& takers() const { return m_takers.all(); }
    /// Returns the occupants during a wait as text, the longest first, and only the first three of many.
    std::string textOf(const VcpuWaitList& absences, const VcpuWait& it) const; ///< Names occupants by the ids of rows, for output files.
    std::string wordsOf(const VcpuWaitList& absences, const VcpuWait& it) const; ///< Names occupants as views do.
    std::string wordsOf(const CpuOccupant& it) const; ///< Returns the name of one occupant as views show it.

private:
    void find(std::uint32_t machine, const VcpuBinding& vcpu, VcpuWaitList& found);
    void addOuter(std::uint32_t machine, const VcpuBinding& vcpu, TimeRange onCpu, VcpuWaitList& found);
    void add(std::uint32_t machine, const VcpuBinding& vcpu, TimeRange whole, TimeRange range, bool isPreempted, VcpuWaitList& found);

    const Timeline& m_timeline;
    const std::vector<VirtualMachine>& m_machines;
    TimeRange m_window;
    std::stop_token m_stop;
    machines::CpuOccupants m_takers;
    std::map<std::pair<std::uint32_t, std::uint32_t>, VcpuWaitList> m_found;
};

} // namespace helio
