#include "core/query/machines/stolen.h"

#include "core/query/rows/composed.h"

#include <algorithm>

namespace helio {

std::map<TrackRef, std::vector<Stolen>> stolenIn(const Timeline& timeline, const std::vector<Machine>& all, std::uint32_t machine,
                                                 Absences& absences, std::stop_token stop)
{
    std::map<TrackRef, std::vector<Stolen>> found;
    const auto& vcpus = all[machine].vcpus;
    for (std::uint32_t vcpu = 0; vcpu < vcpus.size(); ++vcpu) {
        machines::RowCursor threads(timeline, vcpus[vcpu].guestThreads);
        const VcpuAbsences& of = absences.of(machine, vcpu);
        for (std::uint32_t i = 0; i < of.all.size() && threads.isValid() && !stop.stop_requested(); ++i)
            threads.each(of.all[i].range, [&](const Interval& it) {
                const Meaning meaning = meaningOf(timeline, threads.row(), it.state);
                if (isOnCpu(meaning) || meaning == Meaning::Rests)
                    found[isOnCpu(meaning) ? TrackRef{threads.row().store, TrackId{it.value}} : TrackRef()].push_back({it.range, vcpu, i});
            });
    }
    for (auto& [thread, pieces] : found)
        std::ranges::stable_sort(pieces, {}, [](const Stolen& it) { return it.range.begin; });
    return found;
}

} // namespace helio
