#pragma once

#include "core/virtualization/bindings.h"
#include "core/virtualization/row_cursor.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace helio {

/// Lookup of the virtual machine of a vCPU's row, and of the row that shows the vCPU. Immutable. All results are empty if there are no
/// virtual machines.
/// Cost: one findVirtualMachines().
class VirtualMachineNames {
public:
    explicit VirtualMachineNames(const Timeline& timeline);

    /// Returns the name of the virtual machine that a row shows: the row of a vCPU's modes, the row of a vCPU's thread on the host, or the
    /// row of the machine's process (VcpuProcessKind). Empty for other rows.
    const std::string& machineOf(TrackRef row) const;
    /// Returns the row with which views represent the vCPU of `row`: the vCPU's row in a view of virtual machines if there is one, else the
    /// row of the host's thread. Returns `row` if it belongs to no vCPU.
    TrackRef shownFor(TrackRef row) const;
    /// Returns the id of the machine's row, for example "vm:web"; empty if `row` belongs to no machine.
    const std::string& machineIdOf(TrackRef row) const;
    /// Returns the guest of the row's machine, as an index into Timeline::hosts; nullopt if `row` belongs to no machine or if the guest is
    /// unknown.
    std::optional<std::uint32_t> guestOf(TrackRef row) const;
    /// Returns the row that shows which guest threads ran on the vCPU of `row`, to be passed to GuestThreadAt; not valid if unknown.
    TrackRef guestThreadsOf(TrackRef row) const;

private:
    struct MachineRow {
        std::string machine;
        std::string id;
        std::optional<std::uint32_t> guest;
        TrackRef shown;
        TrackRef guestThreads{};
    };
    void addProcesses(const Timeline& timeline, const VirtualMachine& machine, const MachineRow& place);
    const MachineRow& placeOf(TrackRef row) const;

    std::map<TrackRef, MachineRow> m_places;
};

/// Finds the guest's thread on a vCPU at a time. Optimized for queries in time order.
/// Ownership: the timeline outlives the object.
/// Threads: to be used by one thread.
class GuestThreadAt {
public:
    GuestThreadAt(const Timeline& timeline, TrackRef guestThreads);

    /// Returns the guest's thread at a time, for example "hog (177)" or "idle"; empty if unknown.
    std::string operator()(Timestamp at);

private:
    const Timeline& m_timeline;
    machines::RowCursor m_threads;
};

} // namespace helio
