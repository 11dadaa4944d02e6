#pragma once

#include "core/experiment/timeline.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace helio {

/// How sure it is how two hosts' clocks are related. What both have in common on their ways to the reference says nothing against either:
/// only the steps from one host to the other count. One thread; the timeline outlives it. Cost: of a question some 100 ns a step, of a
/// host's first one some more.
class HostSteps {
public:
    explicit HostSteps(const Timeline& timeline);

    /// What the time between two moments at these hosts is right within, about that moment on the experiment's clock. Of one host nothing.
    /// Duration::max(): not known, or times are raw.
    Duration errorBetween(std::uint32_t a, std::uint32_t b, Timestamp at) const;

private:
    /// From a host to the one before it on its way to the reference.
    struct Step {
        std::uint32_t next = 0;
        ClockTransform clock;
        bool isKnown = false;
    };
    Step foundStepOf(std::uint32_t host) const;
    const Step& stepOf(std::uint32_t host) const;
    std::vector<std::uint32_t> wayOf(std::uint32_t host) const;

    const Timeline& m_timeline;
    mutable std::vector<std::optional<Step>> m_steps; ///< By host; as far as they were asked for.
};

} // namespace helio
