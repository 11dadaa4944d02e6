#pragma once

#include "core/correlators/machines/vcpu_row.h"
#include "core/virtualization/steal_intervals.h"

#include <optional>
#include <string>
#include <vector>

namespace helio::machine_rows {

/// Writes the rows of a guest's threads and CPUs. The rows show the states from the guest's trace, and steal time where the vCPU did not
/// run.
class GuestThreads {
public:
    GuestThreads(const Timeline& timeline, const std::vector<VirtualMachine>& all, VcpuWaitFinder& absences, StateSink& sink);

    /// Writes the guest's threads as children of `parent`, the virtual machine's row, in the view `view`.
    void write(std::uint32_t machine, TrackId parent, std::string_view view, const std::stop_token& stop);
    /// Writes the row of the guest's CPU that `vcpu` provides: a row in no view, as child of `parent`, the vCPU's row. Requires: the host
    /// thread of the vCPU is known.
    void writeCpu(std::uint32_t machine, std::uint32_t vcpu, TrackId parent, const std::stop_token& stop);

private:
    /// States of a guest's threads, or of its CPUs, and a further state for steal time.
    struct States {
        StateSet ofGuest;
        bool isCpu = false;
        StateSetId id{};
        std::optional<State> stolen; ///< State for steal time; empty if the guest already has the maximum number of states.
    };
    const States& statesOf(TrackRef row);
    void writeRow(const Track& thread, TrackRef ref, TrackId row, const States& states, std::uint32_t machine,
                  const std::vector<StealInterval>& stolen, const std::stop_token& stop);
    StringId culpritsOf(std::uint32_t machine, const StealInterval& it);

    const Timeline& m_timeline;
    const std::vector<VirtualMachine>& m_machines;
    VcpuWaitFinder& m_absences;
    StateSink& m_sink;
    std::vector<States> m_states;
};

} // namespace helio::machine_rows
