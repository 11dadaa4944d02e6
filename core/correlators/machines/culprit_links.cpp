#include "core/correlators/machines/culprit_links.h"

#include "core/query/rows/row_lookup.h"

#include <algorithm>
#include <set>
#include <string>

namespace helio::machine_rows {
namespace {

constexpr auto BetweenVcpus = LinkKind::FirstOwn;
constexpr auto BetweenThreads = static_cast<LinkKind>(static_cast<int>(LinkKind::FirstOwn) + 1);

/// Returns two link kinds with equal properties: one for links between rows of vCPUs, one for links between rows of threads.
std::vector<LinkKindInfo> kinds(std::string_view view, const std::set<std::string>& ofThreads)
{
    LinkKindInfo kind{"took-vcpu-cpu", "Took the CPU", "Ran", {std::string(view)}, "vm.preempted", LinkLine::Solid, 2, true};
    std::vector<LinkKindInfo> all(static_cast<std::size_t>(BetweenThreads) + 1);
    all[static_cast<std::size_t>(BetweenVcpus)] = kind;
    kind.views = {ofThreads.begin(), ofThreads.end()};
    if (!kind.views.empty()) // Add no link kind without views: its links would be shown in all views.
        all[static_cast<std::size_t>(BetweenThreads)] = kind;
    return all;
}

} // namespace

InterTraceLinks culpritLinks(const Timeline& timeline, const std::vector<VirtualMachine>& all, VcpuWaitFinder& absences,
                             const VcpuRows& rows, std::string_view view, const std::stop_token& stop)
{
    std::vector<InterTraceLink> links;
    std::set<std::string> ofThreads;
    for (std::uint32_t machine = 0; machine < all.size(); ++machine)
        for (std::uint32_t vcpu = 0; vcpu < all[machine].vcpus.size() && !stop.stop_requested(); ++vcpu) {
            const TrackRef thread = all[machine].vcpus[vcpu].thread;
            const VcpuWaitList& of = absences.of(machine, vcpu);
            const auto row = rows.find(thread);
            for (const VcpuWait& it : row == rows.end() ? std::vector<VcpuWait>() : of.all) {
                if (!it.isPreempted || it.occupantCount == 0)
                    continue;
                const OccupantShare& most = of.occupantsDuring(it).front();
                const CpuOccupant& occupant = absences.occupants()[most.occupant];
                if (!occupant.row.isValid())
                    continue;
                const auto shown = rows.find(occupant.row);
                const std::string& who = occupant.machine < 0 ? occupant.name : occupant.inside;
                links.push_back(
                    {BetweenVcpus, shown != rows.end() ? shown->second : occupant.row, row->second, most.first, most.first, who});
                links.push_back({BetweenThreads, occupant.row, thread, most.first, most.first, who});
                ofThreads.insert(std::string(viewOf(timeline, thread)));
            }
        }
    return {kinds(view, ofThreads), std::move(links)};
}

} // namespace helio::machine_rows
