#pragma once

#include "core/virtualization/bindings.h"
#include "core/virtualization/row_cursor.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace helio {

/// What people call the rows that vCPUs leave behind: in whose machine they are, and where to look at them. Empty where there are none.
/// Immutable. Cost: of machinesOf().
class MachineNames {
public:
    explicit MachineNames(const Timeline& timeline);

    /// The machine of a vCPU's row of modes, or of its thread on the host, or of a machine's process (VcpuProcessKind). Empty: it is none.
    const std::string& machineOf(TrackRef row) const;
    /// The row that people see of it: in a view of machines where there is one, else its thread's. `row` itself where it is none.
    TrackRef shownFor(TrackRef row) const;
    /// The id of the machine's row: "vm:web". Empty: it is none.
    const std::string& machineIdOf(TrackRef row) const;
    /// The host that runs inside of its machine. Nothing: it is none, or not known.
    std::optional<std::uint32_t> guestOf(TrackRef row) const;
    /// The row of whom a guest had on the CPU that the vCPU is to it (GuestThreadAt takes it). Not valid: that is not known.
    TrackRef guestThreadsOf(TrackRef row) const;

private:
    struct Place {
        std::string machine;
        std::string id;
        std::optional<std::uint32_t> guest;
        TrackRef shown;
        TrackRef guestThreads{};
    };
    void addProcesses(const Timeline& timeline, const Machine& machine, const Place& place);
    const Place& placeOf(TrackRef row) const;

    std::map<TrackRef, Place> m_places;
};

/// Who ran in a guest: asked about moments one after the other. One thread; the timeline outlives it.
class GuestThreadAt {
public:
    GuestThreadAt(const Timeline& timeline, TrackRef guestThreads);

    /// "hog (177)", "idle". Empty: it is not known.
    std::string operator()(Timestamp at);

private:
    const Timeline& m_timeline;
    machines::RowCursor m_threads;
};

} // namespace helio
