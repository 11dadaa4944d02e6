#include "core/query/machines/machine_names.h"

#include "core/query/rows/row_notes.h"

namespace helio {

MachineNames::MachineNames(const Timeline& timeline)
{
    if (!hasMachines(timeline))
        return;
    for (const Machine& machine : machinesOf(timeline))
        for (const VcpuBinding& vcpu : machine.vcpus) {
            const TrackRef shown = rowShowing(timeline, vcpu.thread);
            for (const TrackRef row : {vcpu.thread, vcpu.modes})
                if (row.isValid())
                    m_places[row] = {machine.name, shown.isValid() ? shown : vcpu.thread};
        }
}

const std::string& MachineNames::machineOf(TrackRef row) const
{
    static const std::string none;
    const auto found = m_places.find(row);
    return found == m_places.end() ? none : found->second.machine;
}

TrackRef MachineNames::shownFor(TrackRef row) const
{
    const auto found = m_places.find(row);
    return found == m_places.end() ? row : found->second.shown;
}

} // namespace helio
