#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace helio::tracedat {

/// Relation between the clock of a guest's CPU and its host's clock at one moment. Times are values of the trace clock.
struct ClockSample {
    std::int64_t time = 0; ///< Time on the guest's clock.
    std::int64_t offset = 0; ///< The host's time minus the guest's scaled time.
    std::uint64_t scaling = 1; ///< Multiplier of the guest's times, with `fraction` binary digits behind the point.
    std::uint32_t fraction = 0;
};

/// Conversion of a guest's times to its host's clock, which trace-cmd measured while both recorded (the option TIME_SHIFT).
struct HostClock {
    std::uint64_t hostId = 0; ///< Id of the host's recording, its option TRACEID.
    bool interpolates = false; ///< True if the offset changes linearly between two samples; false if it changes at the samples.
    std::vector<std::vector<ClockSample>> cpus; ///< Samples of each of the guest's CPUs, sorted by time.

    /// Converts a time of the guest as `trace-cmd report` does. CPUs without samples keep their times.
    std::uint64_t convert(std::uint64_t clock, std::int32_t cpu) const;
};

} // namespace helio::tracedat
