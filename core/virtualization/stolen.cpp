#include "core/virtualization/stolen.h"

#include "core/query/rows/timeline_access.h"

#include <algorithm>

namespace helio {
namespace {

VcpuHolder holderOf(const Timeline& timeline, TrackRef row, const Interval& it)
{
    const StateCategory meaning = meaningOf(timeline, row, it.state);
    if (isOnCpu(meaning))
        return {VcpuHolder::Kind::Thread, {row.store, TrackId{it.value}}};
    return {meaning == StateCategory::Rests ? VcpuHolder::Kind::Idle : VcpuHolder::Kind::Unknown, {}};
}

} // namespace

std::map<VcpuHolder, std::vector<Stolen>> stolenIn(const Timeline& timeline, const std::vector<Machine>& all, std::uint32_t machine,
                                                   Absences& absences, std::stop_token stop)
{
    std::map<VcpuHolder, std::vector<Stolen>> found;
    const auto& vcpus = all[machine].vcpus;
    for (std::uint32_t vcpu = 0; vcpu < vcpus.size(); ++vcpu) {
        machines::RowCursor threads(timeline, vcpus[vcpu].guestThreads);
        const VcpuAbsences& of = absences.of(machine, vcpu);
        for (std::uint32_t i = 0; i < of.all.size() && !stop.stop_requested(); ++i) {
            if (!of.all[i].isPreempted)
                continue;
            Timestamp known = of.all[i].range.begin;
            const auto add = [&](VcpuHolder holder, Timestamp end) {
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
    for (auto& [holder, pieces] : found)
        std::ranges::stable_sort(pieces, {}, [](const Stolen& it) { return it.range.begin; });
    return found;
}

} // namespace helio
