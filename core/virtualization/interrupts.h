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
    /// The handling of the interrupt as the guest recorded it.
    struct Handling {
        TrackRef row; ///< Row of the interrupt's source on the guest's CPU.
        Timestamp at; ///< Beginning of the handler.
        Duration error; ///< Error bound between the clocks of host and guest at that time.
    };
    std::uint32_t machine = 0; ///< Index into the result of findVirtualMachines().
    std::uint32_t vcpu = 0; ///< Index into VirtualMachine::vcpus.
    std::string number; ///< Interrupt vector, for example "236".
    TimeRange range{}; ///< From the injection to the entry of the guest with the interrupt.
    /// nullopt if there is no guest trace, or if it does not say for certain which handler belongs to the interrupt.
    std::optional<Handling> handled;

    /// Time from the injection to the handler, else to the entry. Negative if the clocks are wrong by more than the interrupt took.
    Duration length() const { return (handled ? handled->at : range.end) - range.begin; }
    std::string handler(const Timeline& timeline) const; ///< Returns for example "virtio0-requests (27)"; empty if unknown.
};

/// Returns the interrupts that were injected or pending in the window, in the order of vCPUs and time; fewer if `stop` was requested.
/// The vector of a guest's interrupt source is the vector after which its handler begins in most cases. A handler belongs to the last
/// interrupt with the handler's vector before it. If the clocks' error allows several interrupts, the handler belongs to none.
/// Threads: to be called from a query thread.
/// Cost: about 100 ns for each interrupt and handler of the vCPUs.
std::vector<GuestInterrupt> findGuestInterrupts(const Timeline& timeline, const std::vector<VirtualMachine>& all, TimeRange window,
                                                std::stop_token stop = {});

/// Statistics of the latency of interrupts with the same vCPU, vector and handler.
struct InterruptStats {
    std::uint32_t machine = 0;
    std::uint32_t vcpu = 0;
    std::string number;
    std::string handler; ///< Handler up to which the latency is measured; empty if it is measured up to the entry of the guest.
    std::uint64_t count = 0;
    Duration total{};
    Duration median{};
    Duration p99{};
    Duration most{};
    Timestamp mostAt{};
    std::optional<Duration> error; ///< Largest error of the clocks; nullopt if only one clock is involved; Duration::max() if unknown.
};
std::vector<InterruptStats> computeInterruptStats(const Timeline& timeline, const std::vector<VirtualMachine>& all, TimeRange window,
                                                  std::stop_token stop = {});

} // namespace helio
