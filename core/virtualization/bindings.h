#pragma once

#include "core/experiment/timeline.h"
#include "core/store/track_ref.h"

#include <cstdint>
#include <string>
#include <vector>

namespace helio {

constexpr std::uint32_t NoTraceIndex = 0xffffffff;

/// Binding of a virtual machine's vCPU to a thread of the host and to a CPU of the guest. Unknown tracks are not valid.
struct VcpuBinding {
    std::int32_t vcpu = -1; ///< Number of the vCPU in its virtual machine; -1 if unknown.
    std::int32_t hostTid = -1; ///< TID of the host's thread that runs the vCPU; -1 if unknown.
    TrackRef thread; ///< Track of the host's thread that runs the vCPU.
    TrackRef modes; ///< Track with the modes of the vCPU: guest or hypervisor (core/event_model/vcpu_modes.h).
    /// Track of the CPU's states as the guest recorded them; not valid if the guest did not record them, or if the guest's clock is not
    /// related to the host's clock.
    TrackRef guestCpu;
    /// Track of the threads on the CPU as the guest recorded them; not valid if the guest did not record them, or if the guest's clock is
    /// not related to the host's clock.
    TrackRef guestThreads;
    std::string method; ///< Evidence for the binding, for example "hypercalls, kvm_exit".
};

/// A virtual machine, known from a trace of its host, a trace of its guest, or both.
struct VirtualMachine {
    std::string name; ///< Unique name of the machine: the label of the guest's host, else "COMM-PID" of the process on the host.
    std::uint32_t guestTrace = NoTraceIndex; ///< Trace of the guest, as an index into Timeline::traces; NoTraceIndex if there is none.
    std::uint32_t hostTrace = NoTraceIndex; ///< Trace of the host, as an index into Timeline::traces; NoTraceIndex if there is none.
    std::int32_t pid = -1; ///< PID of the virtual machine's process on the host; -1 if unknown.
    std::int32_t outer = -1; ///< For a nested virtual machine, the index of the machine in which it runs; else -1.
    std::vector<VcpuBinding> vcpus; ///< Bindings of the vCPUs, sorted by vCPU number.
    std::string method{}; ///< Evidence for the guest, for example "hypercalls" or "by hand"; empty if the guest is unknown.
    bool isGiven = false; ///< True if the user chose the guest of this machine.
};

/// Returns the virtual machines of a timeline; empty if none are known. Outer machines come before the machines nested in them. A vCPU is
/// bound to its thread from the beginning of the trace.
///
/// Evidence:
/// - ClockSettings::guests: the settings of the user, which override all other evidence.
/// - RecordingSession::guests: a host's recording may name the threads that run the vCPUs of the guests that were recorded with it.
/// - Hypercalls: a host's thread that serves a hypercall of a guest runs a vCPU of this guest.
/// - Events of kvm: threads that enter and exit a guest run vCPUs. The vCPU numbers in these events are used if they are unique in the
/// virtual machine.
/// - Names of threads, for example "CPU 3/KVM".
/// - Processes: all vCPU threads of a process belong to one virtual machine.
/// Cost: a scan of the names of all threads.
std::vector<VirtualMachine> findVirtualMachines(const Timeline& timeline);

/// True if there are virtual machines.
/// Cost: little if a trace has events of kvm; else one findVirtualMachines().
bool hasVirtualMachines(const Timeline& timeline);

/// Returns the numbers of the CPUs in the guest's trace, in ascending order. Requires: the machine has a guest trace.
std::vector<std::int32_t> guestCpus(const Timeline& timeline, const VirtualMachine& machine);

/// Returns the number of the machine's process as GuestOverride stores it: the PID, else the TID of its only thread. Requires: the machine
/// has a host trace.
std::int32_t processOf(const VirtualMachine& machine);
/// Returns the name of the machine's process as views show it: "COMM-PID". Requires: the machine has a host trace.
std::string processName(const Timeline& timeline, const VirtualMachine& machine);

/// Returns the id of the machine's row, for example "vm:web\/1". The ids of rows of vCPUs and threads begin with the id of their machine.
std::string rowIdOf(const VirtualMachine& machine);
/// Returns the id of a vCPU's row, for example "vm:web/vcpu:0".
std::string rowIdOf(const VirtualMachine& machine, const VcpuBinding& vcpu);

/// Changes that the user can make to the bindings of guests to virtual machines. Each function returns changed ClockSettings, to be passed
/// to Experiment::setClocks(). `guest` is an index into Timeline::hosts; the settings store the host's id.
/// Cost: little, for all functions.

/// Returns the setting for the guest; nullptr if there is none and the guest's virtual machine is found automatically.
const GuestOverride* givenGuest(const Timeline& timeline, const ClockSettings& choice, std::uint32_t guest);

/// Binds the guest to `machine`, which runs on another host, and unbinds any other guest from that machine. The guest's CPUs are bound
/// automatically, except CPUs that the user already bound within this machine.
ClockSettings withGuest(const Timeline& timeline, ClockSettings choice, std::uint32_t guest, const VirtualMachine& machine);
/// Binds the guest to `machine` and the guest's CPU `vcpu` to the thread `tid` of the machine's process. Removes other bindings of the
/// thread.
ClockSettings withVcpu(const Timeline& timeline, ClockSettings choice, std::uint32_t guest, const VirtualMachine& machine,
                       std::int32_t vcpu, std::int32_t tid);
/// Records in the settings that `guest` is not a virtual machine of any host in the timeline, so that it is not bound automatically.
ClockSettings withoutVirtualMachine(const Timeline& timeline, ClockSettings choice, std::uint32_t guest);
/// Removes the setting for the guest; its virtual machine is then found automatically.
ClockSettings withoutGuestOverride(const Timeline& timeline, ClockSettings choice, std::uint32_t guest);

} // namespace helio
