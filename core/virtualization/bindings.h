#pragma once

#include "core/experiment/timeline.h"
#include "core/store/track_ref.h"

#include <cstdint>
#include <string>
#include <vector>

namespace helio {

constexpr std::uint32_t NoTraceIndex = 0xffffffff;

/// Binding of a vCPU of a virtual machine: the host's thread that runs it and the guest's CPU that it is. A track that is not valid is
/// unknown.
struct VcpuBinding {
    std::int32_t vcpu = -1; ///< Number of the vCPU.
    std::int32_t hostTid = -1; ///< Thread of the host that runs the vCPU; -1 if unknown.
    TrackRef thread; ///< Track of that thread on the host.
    TrackRef modes; ///< Track with the modes of the vCPU: in the guest or in the hypervisor (core/event_model/vcpu_modes.h).
    TrackRef guestCpu; ///< States of the CPU as the guest recorded them. Not valid either if the guest's times are raw.
    TrackRef guestThreads; ///< Threads on the CPU as the guest recorded them. Not valid either if the guest's times are raw.
    std::string method; ///< Evidence for the binding, for example "hypercalls, kvm_exit".
};

/// A virtual machine as the traces show it: from its host, from its guest, or both.
struct VirtualMachine {
    std::string name; ///< Unique name: the guest's host label, else "COMM-PID" of the process on the host.
    std::uint32_t guestTrace = NoTraceIndex; ///< Index into Timeline::traces; NoTraceIndex if there is none.
    std::uint32_t hostTrace = NoTraceIndex; ///< Index into Timeline::traces; NoTraceIndex if there is none.
    std::int32_t pid = -1; ///< Pid of its process on the host; -1 if unknown.
    std::int32_t outer = -1; ///< For a nested virtual machine, the index of the machine that is its host; else -1.
    std::vector<VcpuBinding> vcpus; ///< In the order of the vCPUs' numbers.
    std::string method{}; ///< Evidence for which guest runs in it, for example "hypercalls" or "by hand"; empty if that is unknown.
    bool isGiven = false; ///< True if the user set which guest runs in it.
};

/// Returns the virtual machines of a timeline; empty if none are known. Outer machines come before the machines nested in them. A vCPU is
/// bound to its thread from the beginning of the trace.
///
/// Evidence: ClockSettings::guests, which the user sets and which overrides everything else; hypercalls (which thread serves a guest's
/// request); events of kvm (which threads enter and exit a guest, and their vCPU's number if each thread has its own); names of threads,
/// for example "CPU 3/KVM"; processes.
/// Cost: a scan of the names of all threads.
std::vector<VirtualMachine> findVirtualMachines(const Timeline& timeline);

/// True if there are virtual machines.
/// Cost: little if a trace has events of kvm; else one findVirtualMachines().
bool hasVirtualMachines(const Timeline& timeline);

/// Returns the numbers of the CPUs that the guest's trace has tracks of, in ascending order. Requires: the machine has a guest trace.
std::vector<std::int32_t> guestCpus(const Timeline& timeline, const VirtualMachine& machine);

/// Returns the number of the machine's process as GuestOverride stores it: the pid, else the tid of its thread. Requires: it has a host
/// trace.
std::int32_t processOf(const VirtualMachine& machine);
/// Returns "COMM-PID" of the machine's process as views show it. Requires: it has a host trace.
std::string processName(const Timeline& timeline, const VirtualMachine& machine);

/// Returns the id of the machine's row, for example "vm:web\/1". The ids of the rows of its vCPUs and threads begin with it.
std::string rowIdOf(const VirtualMachine& machine);
std::string rowIdOf(const VirtualMachine& machine, const VcpuBinding& vcpu); ///< Returns for example "vm:web/vcpu:0".

/// Changes that the user can make to the bindings of guests to virtual machines. Each function takes the choice so far and returns the
/// changed choice, for Experiment::setClocks(). A guest is given as an index into Timeline::hosts and stored in the choice by its id.
/// Cost: little, for all of these functions.

/// Returns what the choice sets for the host; nullptr if it sets nothing, so that the guest's virtual machine is found automatically.
const GuestOverride* givenGuest(const Timeline& timeline, const ClockSettings& choice, std::uint32_t guest);

/// Binds the guest to `machine`, which runs on another host, and unbinds any other guest from that machine. Its CPUs are bound
/// automatically, except those that the user bound within this machine.
ClockSettings withGuest(const Timeline& timeline, ClockSettings choice, std::uint32_t guest, const VirtualMachine& machine);
/// Binds the guest to `machine` and the guest's CPU `vcpu` to the thread `tid` of the machine's process. The thread runs no other CPU then.
ClockSettings withVcpu(const Timeline& timeline, ClockSettings choice, std::uint32_t guest, const VirtualMachine& machine,
                       std::int32_t vcpu, std::int32_t tid);
/// Declares that the host is no guest of any host in the timeline.
ClockSettings withoutVirtualMachine(const Timeline& timeline, ClockSettings choice, std::uint32_t guest);
/// Removes the choice for the host, so that its virtual machine is found automatically.
ClockSettings withoutGuestOverride(const Timeline& timeline, ClockSettings choice, std::uint32_t guest);

} // namespace helio
