#pragma once

#include "core/store/states.h"

#include <cstdint>
#include <string_view>

namespace helio {

/// Kind (Track::kind) of the rows of threads that run vCPUs; these rows are in no view. Their `cpu` is the number of the vCPU, -1 if no
/// event is reliable enough for it; their label is the name of the event that the number is from. The intervals continue while the thread
/// has no CPU: it comes back in the mode that it left in.
constexpr std::string_view VcpuThreadKind = "vcpu-thread";

/// Kind (Track::kind) of the row of a virtual machine's process; the row is in no view and has no states. Its `pid` is the process, or the
/// thread if the process is unknown. Counters of the whole machine belong to it.
constexpr std::string_view VcpuProcessKind = "vcpu-process";

/// Kind of the segments of exits, each from an exit to the next entry. They lie on rows of VcpuThreadKind and are named by the exit reason.
constexpr std::string_view VcpuExits = "vm-exit";

/// Kind of the segments of interrupts into guests, each from when kvm injects the interrupt into the vCPU to the entry that follows. They
/// lie on rows of VcpuThreadKind and are named by the interrupt's number.
constexpr std::string_view VcpuInterrupts = "vm-interrupt";

/// Returns the name of a kvm event without the prefix that perf adds: "kvm_exit" for "kvm:kvm_exit".
inline std::string_view kvmName(std::string_view name) { return name.starts_with("kvm:") ? name.substr(4) : name; }

/// Activity of a vCPU's thread while it has a CPU.
enum class VcpuMode : std::uint8_t {
    Guest, ///< The guest's code runs.
    Hypervisor, ///< The host's code runs because of an exit. The value is the exit reason as text; empty if unknown.
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

/// Returns true if an exit for that reason means that the guest is idle.
inline bool isHaltReason(std::string_view reason)
{
    for (const std::string_view halt : {"HLT (", "IDLE_HLT (", "MWAIT (", "MWAIT_CONDITIONAL (", "MWAIT_INSTRUCTION ("})
        if (reason.starts_with(halt))
            return true;
    return false;
}

} // namespace helio
