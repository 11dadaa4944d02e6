#pragma once

#include "core/store/track_ref.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

struct Timeline;

/// What is known of a virtual machine as a whole.
struct MachineFacts {
    struct Vcpu {
        std::int32_t number = -1;
        std::string thread; ///< "CPU 0/KVM (192)"; empty: it is not known.
        std::string method; ///< VcpuBinding's.
        TrackRef row{}; ///< That shows it. Not valid: none.
    };
    std::string name;
    std::string guest; ///< As a person calls the host. Empty: nobody knows whose guest it is.
    std::string host; ///< The same, that it runs on. Empty: that is not here.
    std::string process; ///< "qemu-171"; empty: not known.
    std::string method; ///< Machine's.
    bool isGiven = false; ///< A person said whose guest it is.
    std::vector<Vcpu> vcpus;
    std::vector<std::string> checks{}; ///< Sentences: what was compared, and agrees.
    std::vector<std::string> problems; ///< Sentences: what contradicts what is said of it.
};

/// Nothing: it is not a machine's row. Cost: of machinesOf(), haltChecks(), and a look at all hypercalls; from a query thread.
std::optional<MachineFacts> machineFacts(const Timeline& timeline, TrackRef row, std::stop_token stop = {});

} // namespace helio
