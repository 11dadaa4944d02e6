#pragma once

#include "core/query/machines/bindings.h"

#include <map>
#include <string>

namespace helio {

/// What people call the rows that vCPUs leave behind: in whose machine they are, and where to look at them. Empty where there are none.
/// Immutable. Cost: of machinesOf().
class MachineNames {
public:
    explicit MachineNames(const Timeline& timeline);

    /// The machine of a vCPU's row of modes, or of its thread on the host. Empty: it is none.
    const std::string& machineOf(TrackRef row) const;
    /// The row that people see of it: in a view of machines where there is one, else its thread's. `row` itself where it is none.
    TrackRef shownFor(TrackRef row) const;

private:
    struct Place {
        std::string machine;
        TrackRef shown;
    };
    std::map<TrackRef, Place> m_places;
};

} // namespace helio
