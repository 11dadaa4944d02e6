#pragma once

#include "core/virtualization/bindings.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// An interrupt that kvm injected into a vCPU.
struct GuestInterrupt {
    /// Handling of the interrupt by the guest, from the guest's trace.
    struct Handling {
        TrackRef row; ///< Row of the interrupt source on the guest's CPU.
        Timestamp at; ///< Beginning of the handler.
        Duration error; ///< Error bound between the clocks of host and guest at that time.
    };
    std::uint32_t machine = 0; ///< Virtual machine, as an index into the result of findVirtualMachines().
    std::uint32_t vcpu = 0; ///< Interrupted vCPU, as an index into VirtualMachine::vcpus.
    std::string number; ///< Interrupt vector, for example "236".
    TimeRange range{}; ///< Range from the injection to the guest entry with the interrupt.
    /// Handling of the interrupt in the guest; nullopt if there is no guest trace or the handler is ambiguous.
    std::optional<Handling> handled;

    /// Returns the latency: the time from the injection to the start of the handler, or to the guest entry if the handler is unknown.
    /// Negative if the clocks' error exceeds the latency.
    Duration length() const { return (handled ? handled->at : range.end) - range.begin; }
    /// Returns the name of the handler in the guest, for example "virtio0-requests (27)"; empty if unknown.
    std::string handler(const Timeline& timeline) const;
};

/// Returns the interrupts that were injected or pending in `window`, sorted by vCPU, then by time; empty if `stop` was requested. A handler
/// in the guest is assigned to the last interrupt before it that has the vector of the handler's source. It is assigned to no interrupt if
/// the clocks' error leaves several interrupts possible. Traces do not record the vector of a source. The vector is derived from the
/// interrupts directly before the source's handlers: the vector that more than half of them have.
/// Threads: to be called from a query thread.
/// Cost: about 100 ns for each interrupt and handler of the vCPUs.
std::vector<GuestInterrupt> findGuestInterrupts(const Timeline& timeline, const std::vector<VirtualMachine>& all, TimeRange window,
                                                std::stop_token stop = {});

/// Statistics of the latency of interrupts with the same vCPU, vector and handler.
struct InterruptStats {
    std::uint32_t machine = 0;
    std::uint32_t vcpu = 0;
    std::string number;
    std::string handler; ///< Handler whose start ends the latency; empty if the guest entry ends it.
    std::uint64_t count = 0;
    Duration total{};
    Duration median{};
    Duration p99{};
    Duration most{};
    Timestamp mostAt{};
    /// Maximum error of the latencies due to the clocks; nullopt if only one clock is involved; Duration::max() if unknown.
    std::optional<Duration> error;
};
std::vector<InterruptStats> computeInterruptStats(const Timeline& timeline, const std::vector<VirtualMachine>& all, TimeRange window,
                                                  std::stop_token stop = {});

} // namespace helio
