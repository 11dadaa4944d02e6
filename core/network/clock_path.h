#pragma once

#include "core/experiment/timeline.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace helio {

/// Computes the error bounds between the clocks of two hosts. Each host's clock is related to the reference host in steps from host to
/// host. Steps that both hosts' ways to the reference share do not add to the error between the two.
/// Ownership: keeps a reference to the timeline, which must outlive it.
/// Threads: to be used by one thread.
/// Cost: about 100 ns per step for each query; more for the first query about a host.
class ClockPath {
public:
    explicit ClockPath(const Timeline& timeline);

    /// Returns the error bound of the difference of a time at host `a` and a time at host `b`, about `at` on the experiment's clock. 0 if
    /// both are the same host; Duration::max() if it is unknown or if times are raw.
    Duration errorBetween(std::uint32_t a, std::uint32_t b, Timestamp at) const;

private:
    /// A step from a host to the neighbouring host on its way to the reference.
    struct Step {
        std::uint32_t next = 0;
        ClockTransform clock;
        bool isKnown = false;
    };
    Step computeStep(std::uint32_t host) const;
    const Step& stepOf(std::uint32_t host) const;
    std::vector<std::uint32_t> wayOf(std::uint32_t host) const;

    const Timeline& m_timeline;
    mutable std::vector<std::optional<Step>> m_steps; ///< Indexed by host; computed on demand.
};

} // namespace helio
