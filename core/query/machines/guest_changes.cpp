#include "core/query/machines/guest_changes.h"

#include "core/experiment/host_alignment.h"

#include <algorithm>

namespace helio {
namespace {

const std::string& nameOfHost(const Timeline& timeline, const Machine& machine)
{
    return timeline.hosts[timeline.traces[machine.hostTrace].host].id;
}

ClockChoice with(const Timeline& timeline, ClockChoice choice, std::uint32_t guest, GivenGuest given)
{
    choice = asGuestFound(timeline, std::move(choice), guest);
    std::erase_if(choice.guests, [&](const auto& it) {
        return !given.host.empty() && it.second.process == given.process
            && hostNamed(timeline, it.second.host) == hostNamed(timeline, given.host);
    });
    choice.guests[timeline.hosts[guest].id] = std::move(given);
    return choice;
}

/// As it was decided, if it was of this machine.
GivenGuest givenIn(const Timeline& timeline, const ClockChoice& choice, std::uint32_t guest, const Machine& machine)
{
    const GivenGuest fresh{nameOfHost(timeline, machine), processOf(machine)};
    const GivenGuest* given = givenGuest(timeline, choice, guest);
    return given && given->host == fresh.host && given->process == fresh.process ? *given : fresh;
}

} // namespace

const GivenGuest* givenGuest(const Timeline& timeline, const ClockChoice& choice, std::uint32_t guest)
{
    return saidOf(timeline.hosts[guest], choice.guests);
}

ClockChoice withGuest(const Timeline& timeline, ClockChoice choice, std::uint32_t guest, const Machine& machine)
{
    GivenGuest given = givenIn(timeline, choice, guest, machine);
    return with(timeline, std::move(choice), guest, std::move(given));
}

ClockChoice withVcpu(const Timeline& timeline, ClockChoice choice, std::uint32_t guest, const Machine& machine, std::int32_t vcpu,
                     std::int32_t tid)
{
    GivenGuest given = givenIn(timeline, choice, guest, machine);
    std::erase_if(given.vcpus, [&](const auto& it) { return it.second == tid; });
    given.vcpus[vcpu] = tid;
    return with(timeline, std::move(choice), guest, std::move(given));
}

ClockChoice withoutMachine(const Timeline& timeline, ClockChoice choice, std::uint32_t guest)
{
    return with(timeline, std::move(choice), guest, {});
}

ClockChoice asGuestFound(const Timeline& timeline, ClockChoice choice, std::uint32_t guest)
{
    choice.guests.erase(timeline.hosts[guest].id);
    choice.guests.erase(timeline.hosts[guest].label);
    return choice;
}

namespace {

const Machine* machineOf(const Timeline& timeline, const std::vector<Machine>& all, std::uint32_t guest)
{
    const auto found = std::ranges::find_if(all, [&](const Machine& it) {
        return it.guestTrace != NoTraceHere && it.hostTrace != NoTraceHere && timeline.traces[it.guestTrace].host == guest;
    });
    return found == all.end() ? nullptr : &*found;
}

/// Why there is no machine.
std::string whyNone(const Timeline& timeline, const std::vector<Machine>& all, const GivenGuest& given)
{
    const auto host = hostNamed(timeline, given.host);
    if (!host)
        return "set by hand to run on " + given.host + ", which is not here";
    const std::string where =
        "set by hand to run in process " + std::to_string(given.process) + " of " + timeline.hosts[*host].label + ", ";
    for (const Machine& it : all)
        if (it.hostTrace != NoTraceHere && timeline.traces[it.hostTrace].host == *host && processOf(it) == given.process
            && it.guestTrace != NoTraceHere)
            return where + "which is that of " + it.name;
    return where + "of which no thread is known to run a vCPU";
}

} // namespace

std::vector<std::string> guestProblems(const Timeline& timeline, const std::vector<Machine>& all)
{
    std::vector<std::string> problems;
    for (const auto& [name, given] : timeline.clockChoice.guests) {
        const auto guest = hostNamed(timeline, name);
        if (!guest || given.host.empty())
            continue;
        const auto add = [&](const std::string& what) { problems.push_back(timeline.hosts[*guest].label + ": " + what); };
        const Machine* machine = machineOf(timeline, all, *guest);
        if (!machine) {
            add(whyNone(timeline, all, given));
            continue;
        }
        for (const auto& [vcpu, tid] : given.vcpus)
            if (std::ranges::none_of(machine->vcpus, [&](const VcpuBinding& it) { return it.hostTid == tid; }))
                add("set by hand to have its CPU " + std::to_string(vcpu) + " run by thread " + std::to_string(tid)
                    + ", which is none of process " + std::to_string(given.process) + " of " + given.host);
    }
    return problems;
}

} // namespace helio
