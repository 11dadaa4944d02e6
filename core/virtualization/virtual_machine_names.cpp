#include "core/virtualization/virtual_machine_names.h"

#include "core/event_model/vcpu_modes.h"
#include "core/query/rows/row_notes.h"
#include "core/query/rows/timeline_access.h"
#include "core/virtualization/cpu_occupants.h"

namespace helio {

VirtualMachineNames::VirtualMachineNames(const Timeline& timeline)
{
    if (!hasVirtualMachines(timeline))
        return;
    for (const VirtualMachine& machine : findVirtualMachines(timeline)) {
        MachineRow place{machine.name, rowIdOf(machine), {}, {}};
        if (machine.guestTrace != NoTraceIndex)
            place.guest = timeline.traces[machine.guestTrace].host;
        TrackRef ofMachine;
        for (const VcpuBinding& vcpu : machine.vcpus) {
            const TrackRef shown = findMirrorRow(timeline, vcpu.thread);
            place.shown = shown.isValid() ? shown : vcpu.thread;
            place.guestThreads = vcpu.guestThreads;
            for (const TrackRef row : {vcpu.thread, vcpu.modes})
                if (row.isValid())
                    m_places[row] = place;
            if (shown.isValid())
                ofMachine = {shown.store, trackOf(timeline, shown)->parent};
        }
        place.shown = ofMachine;
        place.guestThreads = {};
        addProcesses(timeline, machine, place);
    }
}

void VirtualMachineNames::addProcesses(const Timeline& timeline, const VirtualMachine& machine, const MachineRow& place)
{
    if (machine.hostTrace == NoTraceIndex)
        return;
    forEachStoreOf(timeline, machine.hostTrace, [&](StoreIndex index, const Store& store) {
        forEachTrack(index, store, TrackRole::Other, [&](TrackRef row, const Track& track) {
            if (track.view.empty() && track.kind == VcpuProcessKind && track.pid == processOf(machine))
                m_places[row] = place;
        });
    });
}

const VirtualMachineNames::MachineRow& VirtualMachineNames::placeOf(TrackRef row) const
{
    static const MachineRow none;
    const auto found = m_places.find(row);
    return found == m_places.end() ? none : found->second;
}

const std::string& VirtualMachineNames::machineOf(TrackRef row) const { return placeOf(row).machine; }
const std::string& VirtualMachineNames::machineIdOf(TrackRef row) const { return placeOf(row).id; }
std::optional<std::uint32_t> VirtualMachineNames::guestOf(TrackRef row) const { return placeOf(row).guest; }

TrackRef VirtualMachineNames::guestThreadsOf(TrackRef row) const { return placeOf(row).guestThreads; }

GuestThreadAt::GuestThreadAt(const Timeline& timeline, TrackRef guestThreads)
    : m_timeline(timeline)
    , m_threads(timeline, guestThreads)
{
}

std::string GuestThreadAt::operator()(Timestamp at)
{
    const Interval* const it = m_threads.at(at);
    if (!it)
        return {};
    const StateCategory meaning = meaningOf(m_timeline, m_threads.row(), it->state);
    const Track* const thread = isOnCpu(meaning) ? trackOf(m_timeline, {m_threads.row().store, TrackId{it->value}}) : nullptr;
    return thread ? threadText(*thread) : meaning == StateCategory::Rests ? "idle" : "";
}

TrackRef VirtualMachineNames::shownFor(TrackRef row) const
{
    const auto found = m_places.find(row);
    return found == m_places.end() ? row : found->second.shown;
}

} // namespace helio
