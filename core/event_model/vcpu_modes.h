#pragma once

#include "core/store/states.h"

#include <cstdint>
#include <string_view>

namespace helio {

/// Kind (Track::kind) of the rows of threads that run vCPUs; no view shows these rows. Their `cpu` is the number of the vCPU, or -1 if no
/// event gives it reliably; their label is the name of the event that gave the number. The intervals continue while the thread is off-CPU:
/// it returns in the mode in which it left.
constexpr std::string_view VcpuThreadKind = "vcpu-thread";

/// Kind (Track::kind) of the row of a virtual machine's process; no view shows the row, and it has no states. Its `pid` is the process, or
/// the thread if the process is unknown. Counters of the whole virtual machine belong to this row.
constexpr std::string_view VcpuProcessKind = "vcpu-process";

/// Kind of the segments of VM exits. A segment lasts from an exit to the next entry, is on a row of VcpuThreadKind, and its name is the
/// exit reason.
constexpr std::string_view VcpuExits = "vm-exit";

/// Kind of the segments of interrupts into guests. A segment lasts from the time at which KVM injects the interrupt into the vCPU to the
/// next entry, is on a row of VcpuThreadKind, and its name is the interrupt's number.
constexpr std::string_view VcpuInterrupts = "vm-interrupt";

/// Returns the name of a KVM event without the prefix that perf adds: "kvm_exit" for "kvm:kvm_exit".
inline std::string_view kvmName(std::string_view name) { return name.starts_with("kvm:") ? name.substr(4) : name; }

/// Mode of a vCPU's thread while it is on a CPU.
enum class VcpuMode : std::uint8_t {
    Guest, ///< The code of the guest is running on the vCPU.
    Hypervisor, ///< The host's code is running because of an exit. The value of the state is the exit reason as text; empty if unknown.
    Unknown,
};

inline const StateSet& vcpuModes()
{
    static const StateSet set{"vcpu-mode",
                              {{"guest", StateCategory::OnCpu, {"vm.running", "In guest", ""}},
                               {"hypervisor", StateCategory::OnCpuKernel, {"vm.hypervisor", "In hypervisor", ""}},
                               {"unknown", StateCategory::Unknown, {"vm.unknown", "Unknown", ""}}}};
    return set;
}

/// Returns true if an exit with this reason means that the guest is idle.
inline bool isHaltReason(std::string_view reason)
{
    for (const std::string_view halt : {"HLT (", "IDLE_HLT (", "MWAIT (", "MWAIT_CONDITIONAL (", "MWAIT_INSTRUCTION ("})
        if (reason.starts_with(halt))
            return true;
    return false;
}

} // namespace helio
