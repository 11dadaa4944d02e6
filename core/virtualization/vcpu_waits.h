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
    std::uint32_t occupant = 0; ///< Occupant, as an index into VcpuWaitFinder::occupants().
    Duration total{}; ///< Time that the occupant had the CPU.
    Timestamp first{}; ///< First time within the wait at which the occupant had the CPU.
    std::uint32_t count = 0; ///< Number of times that the occupant got the CPU.
};

/// A wait of a vCPU for a CPU of its host: the vCPU was runnable without a CPU.
struct VcpuWait {
    TimeRange range{};
    bool isPreempted = false; ///< True if the vCPU was preempted; false if it waited for a CPU after being blocked.
    std::uint32_t firstOccupant = 0; ///< Index of the wait's first occupant in VcpuWaitList::occupants.
    /// Number of occupants. They are sorted by `total`, longest first, and their totals add up to the range.
    std::uint32_t occupantCount = 0;
    std::int32_t cpu = -1; ///< CPU on which the vCPU was preempted or for which it waited; -1 if unknown.
};

/// The waits of one vCPU, in time order and without overlaps.
struct VcpuWaitList {
    std::vector<VcpuWait> all;
    std::vector<OccupantShare> occupants; ///< Occupants of all waits; see VcpuWait::firstOccupant.

    std::span<const OccupantShare> occupantsDuring(const VcpuWait& it) const
    {
        return std::span(occupants).subspan(it.firstOccupant, it.occupantCount);
    }
};

/// Finds the waits of vCPUs for CPUs and the occupants of the CPUs meanwhile. For a nested virtual machine, time in which the outer
/// machine's vCPU does not run also counts as a wait. Results are computed on demand and cached.
/// Ownership: the timeline and the machines outlive the object.
/// Threads: to be used by one thread.
/// Memory: about 100 bytes for each wait.
class VcpuWaitFinder {
public:
    /// Creates a finder for the waits in `window`; waits that exceed `window` are clipped.
    VcpuWaitFinder(const Timeline& timeline, const std::vector<VirtualMachine>& all, TimeRange window, std::stop_token stop = {});

    /// Returns the waits of a vCPU, given by the indexes of its machine and vCPU; fewer if `stop` was requested.
    /// Cost: about 2 µs for each wait if the thread stays on its CPU.
    const VcpuWaitList& of(std::uint32_t machine, std::uint32_t vcpu);
    const std::vector<CpuOccupant>& occupants() const { return m_occupants.all(); }
    /// Returns the occupants during a wait as text, longest first and at most three. Uses ids of rows, for output files.
    std::string textOf(const VcpuWaitList& absences, const VcpuWait& it) const;
    std::string wordsOf(const VcpuWaitList& absences, const VcpuWait& it) const; ///< Like textOf(), but with names as views show them.
    std::string wordsOf(const CpuOccupant& it) const; ///< Returns the name of one occupant as views show it.

private:
    void find(std::uint32_t machine, const VcpuBinding& vcpu, VcpuWaitList& found);
    void addOuter(std::uint32_t machine, const VcpuBinding& vcpu, TimeRange onCpu, VcpuWaitList& found);
    void add(std::uint32_t machine, const VcpuBinding& vcpu, TimeRange whole, TimeRange range, bool isPreempted, VcpuWaitList& found);

    const Timeline& m_timeline;
    const std::vector<VirtualMachine>& m_machines;
    TimeRange m_window;
    std::stop_token m_stop;
    machines::CpuOccupants m_occupants;
    std::map<std::pair<std::uint32_t, std::uint32_t>, VcpuWaitList> m_found;
};

} // namespace helio
