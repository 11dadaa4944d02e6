#pragma once

#include "core/store/track_ref.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

struct Timeline;

/// Facts about one virtual machine, as the Details dock shows them.
struct VirtualMachineFacts {
    struct Vcpu {
        std::int32_t number = -1;
        std::string thread; ///< Thread of the host that runs the vCPU, for example "CPU 0/KVM (192)"; empty if unknown.
        std::string method; ///< Evidence for the binding; see VcpuBinding::method.
        TrackRef row{}; ///< Row that shows the vCPU; not valid if there is none.
    };
    std::string name;
    std::string guest; ///< Name of the guest as views show it; empty if the guest is unknown.
    std::string host; ///< Name of the host on which the virtual machine runs; empty if that host is not in the timeline.
    std::string process; ///< Process of the virtual machine on the host, for example "qemu-171"; empty if unknown.
    std::string method; ///< Evidence for the guest; see VirtualMachine::method.
    bool isGiven = false; ///< True if the user chose the guest of this machine.
    std::vector<Vcpu> vcpus;
    std::vector<std::string> checks{}; ///< Sentences about checks that found no contradiction.
    std::vector<std::string> problems; ///< Sentences about contradictions between the machine's bindings and the traces.
};

/// Returns the facts of the machine that a row shows; nullopt if the row shows no machine.
/// Threads: to be called from a query thread.
/// Cost: that of findVirtualMachines() and haltChecks(), and a scan of all hypercalls.
std::optional<VirtualMachineFacts> machineFacts(const Timeline& timeline, TrackRef row, std::stop_token stop = {});

} // namespace helio
