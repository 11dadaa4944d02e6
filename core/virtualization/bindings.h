#pragma once

#include "core/experiment/timeline.h"
#include "core/store/track_ref.h"

#include <cstdint>
#include <string>
#include <vector>

namespace helio {

constexpr std::uint32_t NoTraceHere = 0xffffffff;

/// A vCPU of a virtual machine: the thread of the host that runs it, and the CPU that it is to its guest. Tracks that are not valid are not
/// known.
struct VcpuBinding {
    std::int32_t vcpu = -1;
    std::int32_t hostTid = -1;
    TrackRef thread; ///< The host's.
    TrackRef modes; ///< Of it: in the guest, or out of it (core/event_model/vcpu_modes.h).
    TrackRef guestCpu; ///< What the guest believes that its CPU did; not valid either where its times are not the host's, as recorded raw,
    TrackRef guestThreads; ///< and which of its threads had it.
    std::string method; ///< How that is known: "hypercalls, kvm_exit".
};

/// A virtual machine, as far as traces show it: from its host, from inside, or both.
struct Machine {
    std::string name; ///< The guest's host label, else "COMM-PID" of the process; unique.
    std::uint32_t guestTrace = NoTraceHere; ///< Index in the timeline, as the next.
    std::uint32_t hostTrace = NoTraceHere;
    std::int32_t pid = -1; ///< Of its process on the host.
    std::int32_t outer = -1; ///< Its host is a virtual machine itself: its place among all.
    std::vector<VcpuBinding> vcpus; ///< By number.
    std::string method{}; ///< How it is known whose guest it is: "hypercalls", "by hand". Empty: it is not.
    bool isGiven = false; ///< A person says so.
};

/// The virtual machines of a timeline, outer ones before those in them. What a thread serves it serves from the trace's begin. Empty: none
/// are known.
///
/// Known from: what a person says (ClockChoice::guests), before all else; hypercalls (which thread does what a guest asked for), kvm's
/// events (which threads go in and out of a guest, and the number that they give their vCPU, where each thread has one of its own), names
/// of threads as "CPU 3/KVM", and processes. Cost: of a look at the names of all threads.
std::vector<Machine> machinesOf(const Timeline& timeline);

/// Whether there are any. Cost: little where a trace has events of kvm; else as machinesOf().
bool hasMachines(const Timeline& timeline);

/// The CPUs that its guest's trace says something of, ascending. Requires: it has a guest.
std::vector<std::int32_t> guestCpus(const Timeline& timeline, const Machine& machine);

/// How the machine's process is named in a GivenGuest. Requires: it has a host.
std::int32_t processOf(const Machine& machine);
/// "COMM-PID" of it, for people. Requires: it has a host.
std::string processName(const Timeline& timeline, const Machine& machine);

/// "vm:web\/1": the id of a machine's row; those of its vCPUs and threads begin with it.
std::string rowIdOf(const Machine& machine);
std::string rowIdOf(const Machine& machine, const VcpuBinding& vcpu); ///< "vm:web/vcpu:0".

} // namespace helio
