#include "core/virtualization/vcpu_preemption.h"

#include "core/query/rows/row_lookup.h"
#include "core/query/rows/row_notes.h"
#include "core/query/rows/timeline_access.h"
#include "core/virtualization/row_cursor.h"

#include <algorithm>
#include <utility>

namespace helio {
namespace {

/// Sets the CPU of the host that was idle longest in the range. Finds no CPU, or not the right one, if `stop` is requested.
void findIdleCpu(const Timeline& timeline, std::uint32_t hostTrace, TimeRange range, VcpuPreemption& found, const std::stop_token& stop)
{
    forEachStoreOf(timeline, hostTrace, [&](StoreIndex index, const Store& store) {
        forEachTrack(index, store, TrackRole::Cpu, [&](TrackRef ref, const Track& track) {
            const auto row = rowOf(timeline, ref);
            if (!row)
                return;
            Duration idle{};
            forEachRowInterval(
                timeline, *row, range,
                [&](const Interval& it) {
                    if (meaningOf(timeline, ref, it.state) == StateCategory::Rests)
                        idle += it.range.duration();
                },
                stop);
            if (track.cpu < 0 || idle <= found.idleFor)
                return;
            found.idleFor = idle;
            found.idleCpu = track.cpu;
        });
    });
}

} // namespace

std::optional<VcpuPreemption> findVcpuPreemption(const Timeline& timeline, TrackRef row, TimeRange range, TimeRange around,
                                                 std::stop_token stop)
{
    if (!trackOf(timeline, row) || !hasVirtualMachines(timeline))
        return {};
    const auto note = noteOf(timeline, row);
    const TrackRef source = note ? note->source : row;
    const auto all = findVirtualMachines(timeline);
    for (std::uint32_t machine = 0; machine < all.size(); ++machine)
        for (std::uint32_t vcpu = 0; vcpu < all[machine].vcpus.size(); ++vcpu) {
            const VcpuBinding& it = all[machine].vcpus[vcpu];
            if (!source.isValid() || (it.thread != source && it.guestCpu != source))
                continue;
            VcpuPreemption found;
            found.vcpu = "vCPU " + std::to_string(it.vcpu) + " of " + all[machine].name;
            findIdleCpu(timeline, all[machine].hostTrace, range, found, stop);
            found.exits = computeExitStats(timeline, all, around, std::move(stop));
            std::erase_if(found.exits, [&](const ExitStats& exit) { return exit.machine != machine || exit.vcpu != vcpu; });
            std::ranges::stable_sort(found.exits, std::greater(), &ExitStats::total);
            return found;
        }
    return {};
}

} // namespace helio
