#pragma once

#include "core/store/track_ref.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

struct Timeline;

/// Facts of one virtual machine, as the details show them.
struct VirtualMachineFacts {
    struct Vcpu {
        std::int32_t number = -1;
        std::string thread; ///< Thread of the host, for example "CPU 0/KVM (192)"; empty if unknown.
        std::string method; ///< VcpuBinding::method.
        TrackRef row{}; ///< Row that shows the vCPU; not valid if there is none.
    };
    std::string name;
    std::string guest; ///< The guest's host name as views show it; empty if the guest is unknown.
    std::string host; ///< The name of the host that it runs on; empty if that host is not in the timeline.
    std::string process; ///< For example "qemu-171"; empty if unknown.
    std::string method; ///< VirtualMachine::method.
    bool isGiven = false; ///< True if the user set which guest runs in it.
    std::vector<Vcpu> vcpus;
    std::vector<std::string> checks{}; ///< Sentences about checks that found no contradiction.
    std::vector<std::string> problems; ///< Sentences about contradictions to the machine's bindings.
};

/// Returns the facts of the machine that a row shows; nullopt if the row shows no machine.
/// Threads: to be called from a query thread.
/// Cost: findVirtualMachines(), haltChecks(), and a scan of all hypercalls.
std::optional<VirtualMachineFacts> machineFacts(const Timeline& timeline, TrackRef row, std::stop_token stop = {});

} // namespace helio
