#pragma once

#include "core/store/states.h"

#include <cstdint>
#include <string_view>

namespace helio {

/// The kind of the rows of that (Track::kind), which are in no view. Their `cpu` is the number of the vCPU, -1 where no event is to be
/// trusted with it, and their label the event that says it. They go on while the thread has no CPU: what it left it in is what it comes
/// back in.
constexpr std::string_view VcpuThreadKind = "vcpu-thread";

/// The kind of the row of a machine's process, which is in no view either and has no states: its `pid` is the process, or the thread where
/// that is not known. What is counted of a machine as a whole belongs to it.
constexpr std::string_view VcpuProcessKind = "vcpu-process";

/// The kind of segments that exits are, from an exit to the next entry: each is on such a row, and named by its reason.
constexpr std::string_view VcpuExits = "vm-exit";

/// The kind of segments that interrupts into guests are, from when kvm puts one into the vCPU to the entry that follows it: each is on such
/// a row, and named by its number.
constexpr std::string_view VcpuInterrupts = "vm-interrupt";

/// The name of an event of kvm without what perf puts in front: "kvm_exit" of "kvm:kvm_exit".
inline std::string_view kvmName(std::string_view name) { return name.starts_with("kvm:") ? name.substr(4) : name; }

/// What a thread that runs a vCPU does with the CPU, while it has one.
enum class VcpuMode : std::uint8_t {
    Guest, ///< The guest's code runs.
    Hypervisor, ///< The host's does, because of an exit: the value says of what reason, as text; empty: not known.
    Unknown,
};

inline const StateSet& vcpuModes()
{
    static const StateSet set{"vcpu-mode",
                              {{"guest", Meaning::OnCpu, {"vm.running", "In the guest", ""}},
                               {"hypervisor", Meaning::OnCpuKernel, {"vm.hypervisor", "In the hypervisor", ""}},
                               {"unknown", Meaning::Unknown, {"vm.unknown", "Unknown", ""}}}};
    return set;
}

/// Whether an exit of that reason says that the guest has nothing to do.
inline bool isHaltReason(std::string_view reason)
{
    for (const std::string_view halt : {"HLT (", "IDLE_HLT (", "MWAIT (", "MWAIT_CONDITIONAL (", "MWAIT_INSTRUCTION ("})
        if (reason.starts_with(halt))
            return true;
    return false;
}

} // namespace helio
