#include "core/virtualization/steal_intervals.h"

#include "core/query/rows/timeline_access.h"

#include <algorithm>

namespace helio {
namespace {

VcpuOccupant holderOf(const Timeline& timeline, TrackRef row, const Interval& it)
{
    const StateCategory meaning = meaningOf(timeline, row, it.state);
    if (isOnCpu(meaning))
        return {VcpuOccupant::Kind::Thread, {row.store, TrackId{it.value}}};
    return {meaning == StateCategory::Rests ? VcpuOccupant::Kind::Idle : VcpuOccupant::Kind::Unknown, {}};
}

} // namespace

std::map<VcpuOccupant, std::vector<StealInterval>> findStealIntervals(const Timeline& timeline, const std::vector<VirtualMachine>& all,
                                                                      std::uint32_t machine, VcpuWaitFinder& absences, std::stop_token stop)
{
    std::map<VcpuOccupant, std::vector<StealInterval>> found;
    const auto& vcpus = all[machine].vcpus;
    for (std::uint32_t vcpu = 0; vcpu < vcpus.size(); ++vcpu) {
        machines::RowCursor threads(timeline, vcpus[vcpu].guestThreads);
        const VcpuWaitList& of = absences.of(machine, vcpu);
        for (std::uint32_t i = 0; i < of.all.size() && !stop.stop_requested(); ++i) {
            if (!of.all[i].isPreempted)
                continue;
            Timestamp known = of.all[i].range.begin;
            const auto add = [&](VcpuOccupant holder, Timestamp end) {
                if (known < end)
                    found[holder].push_back({{known, end}, vcpu, i});
                known = std::max(known, end);
            };
            threads.each(of.all[i].range, [&](const Interval& it) {
                add({}, it.range.begin);
                add(holderOf(timeline, threads.row(), it), it.range.end);
            });
            add({}, of.all[i].range.end);
        }
    }
    for (auto& [holder, intervals] : found)
        std::ranges::stable_sort(intervals, {}, [](const StealInterval& it) { return it.range.begin; });
    return found;
}

} // namespace helio
