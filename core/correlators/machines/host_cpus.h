#pragma once

#include "core/store/store.h"
#include "core/virtualization/cpu_occupants.h"

#include <map>
#include <stop_token>
#include <vector>

namespace helio::machine_rows {

/// Writes a row below each host CPU that ran vCPUs. The row shows the virtual machine, the vCPU and the guest's thread while the
/// vCPU's thread has the CPU.
/// Cost: proportional to the number of switches on these CPUs and on the guests' CPUs.
class HostCpus {
public:
    /// Ownership: the caller keeps all arguments alive while this object exists.
    HostCpus(const Timeline& timeline, const std::vector<VirtualMachine>& all, StateSink& sink);

    void write(const std::stop_token& stop);

private:
    void writeHost(std::uint32_t machine, const std::stop_token& stop);
    void writeCpu(std::uint32_t machine, TrackRef cpu, machines::CpuOccupants& occupants, const std::stop_token& stop);
    TrackId addRow(std::uint32_t trace, TrackRef cpu);
    StringId textOf(std::uint32_t number, const CpuOccupant& it);
    State stateOf(std::int32_t machine) const;

    const Timeline& m_timeline;
    const std::vector<VirtualMachine>& m_machines;
    StateSink& m_sink;
    StateSetId m_states;
    std::map<std::uint32_t, StringId>
        m_texts; ///< Texts of the CPU occupants on the host that is being written, keyed by index in CpuOccupants::all().
};

} // namespace helio::machine_rows
