#include "core/virtualization/virtual_machine_facts.h"

#include "core/query/rows/row_notes.h"
#include "core/query/rows/timeline_access.h"
#include "core/virtualization/cpu_occupants.h"
#include "core/virtualization/guest_problems.h"

#include <algorithm>

namespace helio {
namespace {

std::string shownHost(const Timeline& timeline, std::uint32_t trace)
{
    return trace == NoTraceIndex ? std::string() : timeline.hosts[timeline.traces[trace].host].shownName();
}

VirtualMachineFacts::Vcpu factsOf(const Timeline& timeline, const VcpuBinding& vcpu)
{
    const Track* thread = trackOf(timeline, vcpu.thread);
    const TrackRef source = vcpu.thread.isValid() ? vcpu.thread : vcpu.guestCpu;
    return {vcpu.vcpu, thread ? threadText(*thread) : std::string(), vcpu.method, findMirrorRow(timeline, source)};
}

} // namespace

std::optional<VirtualMachineFacts> machineFacts(const Timeline& timeline, TrackRef row, std::stop_token stop)
{
    const Track* track = trackOf(timeline, row);
    if (!track || track->role != TrackRole::Group || !noteOf(timeline, row))
        return {};
    const std::vector<VirtualMachine> all = findVirtualMachines(timeline);
    const auto of = std::ranges::find(all, track->key, [](const VirtualMachine& it) { return rowIdOf(it); });
    if (of == all.end())
        return {};
    VirtualMachineFacts facts{
        of->name, shownHost(timeline, of->guestTrace), shownHost(timeline, of->hostTrace), {}, of->method, of->isGiven, {}, {}, {}};
    if (of->hostTrace != NoTraceIndex)
        facts.process = processName(timeline, *of);
    for (const VcpuBinding& it : of->vcpus)
        facts.vcpus.push_back(factsOf(timeline, it));
    const auto halts = haltChecks(timeline, all, std::move(stop));
    for (const BindingCheck& it : halts)
        if (&all[it.machine] == &*of && !it.contradicts())
            facts.checks.push_back(wordsOf(it, all));
    for (const GuestProblem& it : guestProblems(timeline, all, halts))
        if (of->guestTrace != NoTraceIndex && timeline.traces[of->guestTrace].host == it.guest)
            facts.problems.push_back(it.what);
    return facts;
}

} // namespace helio
