#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace helio::tracedat {

/// Relation between the clock of one CPU of a guest and its host's clock at one moment. All times are values of the trace clock.
struct ClockSample {
    std::int64_t time = 0; ///< Time on the guest's clock.
    std::int64_t offset = 0; ///< The host's time minus the guest's time after it was multiplied by `scaling`.
    std::uint64_t scaling = 1; ///< Multiplier of the guest's times: a fixed-point number with `fraction` fraction bits.
    std::uint32_t fraction = 0;
};

/// Conversion of a guest's times to its host's clock, which trace-cmd measured during the recording (option TIME_SHIFT).
struct HostClock {
    std::uint64_t hostId = 0; ///< Id of the host's recording (option TRACEID in its trace.dat).
    bool interpolates = false; ///< True if the offset is interpolated linearly between samples; false if it is constant between them.
    std::vector<std::vector<ClockSample>> cpus; ///< For each CPU of the guest, its clock samples, sorted by time.

    /// Converts a time of the guest's CPU `cpu` to the host's clock, as `trace-cmd report` does. Returns it unchanged if there are no clock
    /// samples for the CPU.
    std::uint64_t convert(std::uint64_t clock, std::int32_t cpu) const;
};

} // namespace helio::tracedat
