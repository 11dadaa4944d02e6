#pragma once

#include "core/store/store.h"
#include "core/virtualization/cpu_occupants.h"

#include <map>
#include <stop_token>
#include <vector>

namespace helio::machine_rows {

/// Writes a row below each CPU of a host that ran vCPUs. It shows machine, vCPU and the guest's thread, from the time when the vCPU's
/// thread got the CPU until it left the CPU.
/// Cost: proportional to the switches of those CPUs and of the guests' CPUs.
class HostCpus {
public:
    /// Ownership: the caller keeps all arguments alive.
    HostCpus(const Timeline& timeline, const std::vector<VirtualMachine>& all, StateSink& sink);

    void write(const std::stop_token& stop);

private:
    void writeHost(std::uint32_t machine, const std::stop_token& stop);
    void writeCpu(std::uint32_t machine, TrackRef cpu, machines::CpuOccupants& takers, const std::stop_token& stop);
    TrackId addRow(std::uint32_t trace, TrackRef cpu);
    StringId textOf(std::uint32_t number, const CpuOccupant& it);
    State stateOf(std::int32_t machine) const;

    const Timeline& m_timeline;
    const std::vector<VirtualMachine>& m_machines;
    StateSink& m_sink;
    StateSetId m_states;
    std::map<std::uint32_t, StringId>
        m_texts; ///< Texts by number of the occupant (CpuOccupants::all()), for the host that is being written.
};

} // namespace helio::machine_rows
