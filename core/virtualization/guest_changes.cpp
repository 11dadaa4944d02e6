#include "core/virtualization/guest_changes.h"

#include "core/experiment/host_alignment.h"

#include <algorithm>

namespace helio {
namespace {

const std::string& nameOfHost(const Timeline& timeline, const VirtualMachine& machine)
{
    return timeline.hosts[timeline.traces[machine.hostTrace].host].id;
}

ClockSettings with(const Timeline& timeline, ClockSettings choice, std::uint32_t guest, GuestOverride given)
{
    choice = withoutGuestOverride(timeline, std::move(choice), guest);
    std::erase_if(choice.guests, [&](const auto& it) {
        return !given.host.empty() && it.second.process == given.process
            && findHostByName(timeline, it.second.host) == findHostByName(timeline, given.host);
    });
    choice.guests[timeline.hosts[guest].id] = std::move(given);
    return choice;
}

/// Returns what the choice sets for the guest if it is bound to this machine, else a fresh binding to this machine.
GuestOverride givenIn(const Timeline& timeline, const ClockSettings& choice, std::uint32_t guest, const VirtualMachine& machine)
{
    const GuestOverride fresh{nameOfHost(timeline, machine), processOf(machine)};
    const GuestOverride* given = givenGuest(timeline, choice, guest);
    return given && given->host == fresh.host && given->process == fresh.process ? *given : fresh;
}

} // namespace

const GuestOverride* givenGuest(const Timeline& timeline, const ClockSettings& choice, std::uint32_t guest)
{
    return findOverride(timeline.hosts[guest], choice.guests);
}

ClockSettings withGuest(const Timeline& timeline, ClockSettings choice, std::uint32_t guest, const VirtualMachine& machine)
{
    GuestOverride given = givenIn(timeline, choice, guest, machine);
    return with(timeline, std::move(choice), guest, std::move(given));
}

ClockSettings withVcpu(const Timeline& timeline, ClockSettings choice, std::uint32_t guest, const VirtualMachine& machine,
                       std::int32_t vcpu, std::int32_t tid)
{
    GuestOverride given = givenIn(timeline, choice, guest, machine);
    std::erase_if(given.vcpus, [&](const auto& it) { return it.second == tid; });
    given.vcpus[vcpu] = tid;
    return with(timeline, std::move(choice), guest, std::move(given));
}

ClockSettings withoutVirtualMachine(const Timeline& timeline, ClockSettings choice, std::uint32_t guest)
{
    return with(timeline, std::move(choice), guest, {});
}

ClockSettings withoutGuestOverride(const Timeline& timeline, ClockSettings choice, std::uint32_t guest)
{
    choice.guests.erase(timeline.hosts[guest].id);
    choice.guests.erase(timeline.hosts[guest].label);
    return choice;
}

} // namespace helio
