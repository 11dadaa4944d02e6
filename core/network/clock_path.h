#pragma once

#include "core/experiment/timeline.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace helio {

/// Error bounds between the clocks of two hosts. The clock of each host is related to that of the reference host in steps: from the
/// host to another host, and so on. Steps that the paths of both hosts share do not add to the error between the two hosts.
/// Ownership: keeps a reference to the timeline, which must outlive it.
/// Threads: to be used by one thread.
/// Cost: about 100 ns per step for each query; the first query about a host costs more, because it computes the host's steps.
class ClockPath {
public:
    explicit ClockPath(const Timeline& timeline);

    /// Returns the error bound of the difference between a time at host `a` and a time at host `b`, near `at` on the experiment's clock.
    /// Returns 0 if `a` and `b` are the same host, and Duration::max() if the bound is unknown or if the timeline shows the times of each
    /// host unconverted.
    Duration errorBetween(std::uint32_t a, std::uint32_t b, Timestamp at) const;

private:
    /// Step from a host to the next host on its path to the reference.
    struct Step {
        std::uint32_t next = 0;
        ClockTransform clock;
        bool isKnown = false;
    };
    Step computeStep(std::uint32_t host) const;
    const Step& stepOf(std::uint32_t host) const;
    std::vector<std::uint32_t> wayOf(std::uint32_t host) const;

    const Timeline& m_timeline;
    mutable std::vector<std::optional<Step>> m_steps; ///< First step of each host's path, indexed by host; computed on demand.
};

} // namespace helio
