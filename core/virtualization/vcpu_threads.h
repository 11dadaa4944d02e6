#pragma once

#include "core/correlation/guests.h"
#include "core/experiment/timeline.h"
#include "core/store/track_ref.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace helio::machines {

/// A thread of a host that runs a vCPU.
struct VcpuThread {
    TrackRef thread;
    TrackRef modes; ///< As in VcpuBinding.
    std::int32_t tid = -1;
    std::int32_t number = -1; ///< Of the vCPU; -1: not known.
    std::string method; ///< What says so.
    std::optional<std::int32_t> named; ///< The number that its name has.
    std::optional<std::int32_t> called; ///< The number that the guest has for the CPU whose hypercalls it does.
};

/// All of them: those that go in and out of a guest, those that are called so, and those that did what a guest asked for.
std::vector<VcpuThread> vcpuThreadsOf(const Timeline& timeline, std::span<const GuestSeen> evidence);

/// Gives each vCPU of one machine a number of its own: kvm's, where no two threads have the same; else the guest's, the name's, or the next
/// that is free.
void numberVcpus(std::vector<VcpuThread>& threads);

/// The number in "CPU 3/KVM". Nothing: no such name.
std::optional<std::int32_t> numberInName(std::string_view name);

/// The process of a host's thread, as in a GivenGuest. -1: there is no such thread.
std::int32_t processOfThread(const Timeline& timeline, std::uint32_t trace, std::int32_t tid);

/// Whether a track alone says that there is a vCPU.
bool saysVcpu(const Track& track);

} // namespace helio::machines
