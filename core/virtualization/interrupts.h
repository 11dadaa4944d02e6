#pragma once

#include "core/virtualization/bindings.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// An interrupt that kvm put into a vCPU.
struct GuestInterrupt {
    /// What the guest's trace has of it.
    struct Handling {
        TrackRef row; ///< Of the source, on that CPU.
        Timestamp at; ///< When the handler began.
        Duration error; ///< What the two clocks are right within beside each other then.
    };
    std::uint32_t machine = 0; ///< Its place among all.
    std::uint32_t vcpu = 0; ///< Its place among the machine's.
    std::string number; ///< The vector: "236".
    TimeRange range{}; ///< From when it was put in until the guest was entered with it.
    std::optional<Handling> handled; ///< None: the trace of its guest is not here, or does not say, or not surely, who handled it.

    /// Until it was handled, or entered. Below 0: the clocks are wrong by more than it took.
    Duration length() const { return (handled ? handled->at : range.end) - range.begin; }
    std::string handler(const Timeline& timeline) const; ///< "virtio0-requests (27)"; empty: not known.
};

/// Those that were put in, or wait to be entered, in the window, in the order of vCPUs and time. Which vector a source of interrupts of the
/// guest has is found out: the one after which its handler mostly begins. A handler is that of the last interrupt of its vector before it;
/// where the clocks' error leaves open which one that is, it is nobody's.
///
/// Cost: of all interrupts and handlers of the vCPUs, some 100 ns each; from a query thread. Fewer, once it is stopped.
std::vector<GuestInterrupt> interruptsInto(const Timeline& timeline, const std::vector<Machine>& all, TimeRange window,
                                           std::stop_token stop = {});

/// How long those of one vCPU and vector took that ended alike.
struct InterruptSum {
    std::uint32_t machine = 0;
    std::uint32_t vcpu = 0;
    std::string number;
    std::string handler; ///< Up to which it is; empty: up to the entry of the guest.
    std::uint64_t count = 0;
    Duration total{};
    Duration median{};
    Duration p99{};
    Duration most{};
    Timestamp mostAt{};
    std::optional<Duration> error; ///< The largest of the clocks'; none: of one clock alone. Duration::max(): not known.
};
std::vector<InterruptSum> interruptSums(const Timeline& timeline, const std::vector<Machine>& all, TimeRange window,
                                        std::stop_token stop = {});

} // namespace helio
