#pragma once

#include "core/store/store.h"
#include "core/virtualization/takers.h"

#include <map>
#include <stop_token>
#include <vector>

namespace helio::machine_rows {

/// Writes a row below each CPU of a host that ran vCPUs: of which machine, which vCPU, and what its guest ran, from when the vCPU's thread
/// got the CPU until it was gone. Cost: of the switches of those CPUs and of the guests'.
class HostCpus {
public:
    /// All outlive it.
    HostCpus(const Timeline& timeline, const std::vector<Machine>& all, StateSink& sink);

    void write(const std::stop_token& stop);

private:
    void writeHost(std::uint32_t machine, const std::stop_token& stop);
    void writeCpu(std::uint32_t machine, TrackRef cpu, machines::Takers& takers, const std::stop_token& stop);
    TrackId addRow(std::uint32_t trace, TrackRef cpu);
    StringId textOf(std::uint32_t number, const Taker& it);
    State stateOf(std::int32_t machine) const;

    const Timeline& m_timeline;
    const std::vector<Machine>& m_machines;
    StateSink& m_sink;
    StateSetId m_states;
    std::map<std::uint32_t, StringId> m_texts; ///< By the takers' numbers of the host being written.
};

} // namespace helio::machine_rows
