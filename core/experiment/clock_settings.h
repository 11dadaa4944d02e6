#pragma once

#include "core/clock/clock_transform.h"
#include "core/clock/fit/clock_line.h"
#include "core/correlation/host_comparison.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace helio {

/// How a clock was computed before it was written to a file.
struct ClockOrigin {
    ClockMethod method = ClockMethod::Manual;
    FitQuality quality = FitQuality::None;
    Duration bound = Duration::max(); ///< Error bound of the clock over all traces of the host; Duration::max() if unknown.
    std::optional<std::int64_t> driftError{}; ///< Error bound of the drift in 10^-12, as in ClockFit::driftError; nullopt if unknown.
    std::size_t arrivals = 0; ///< Number of messages that the host received from its neighbour on `path`.
    std::size_t departures = 0; ///< Number of messages that the host sent to its neighbour on `path`.
    std::size_t outliers = 0; ///< Number of messages among the arrivals and departures that contradict most other messages.
    std::vector<std::string> path{}; ///< Labels of the hosts on the path of compared clocks, from the reference host to this host.
    bool operator==(const ClockOrigin&) const = default;
};

/// Clock of a host that the user or a clock file sets.
struct ClockOverride {
    /// Line from the host's clock to the reference host's clock; nullopt if the host's times stay as recorded ("raw").
    std::optional<ClockLine> line;
    Duration error = Duration::max(); ///< Error bound of times on `line`; Duration::max() if unknown.
    /// Points of a piecewise linear clock; `line` is then the best single straight line. Empty for a clock of one straight line.
    std::vector<ClockPoint> points{};
    bool isBent = false; ///< True if `points` do not lie on one line.
    std::optional<ClockOrigin> origin{}; ///< Origin of a clock from a file: how it was computed. nullopt if the user set the clock.
    bool operator==(const ClockOverride&) const = default;
};

/// Information from the user about a virtual machine: the host that it runs on, its process and its vCPUs.
struct GuestOverride {
    std::string host; ///< Label or id of the host that the virtual machine runs on; empty if it is not a guest of an open host.
    std::int32_t process = -1; ///< PID of the virtual machine on `host`; a TID if the thread's process is unknown.
    /// Guest CPUs, keyed by the TID of the vCPU's thread on `host`. A correlator finds the vCPUs that are not listed.
    std::map<std::int32_t, std::int32_t> vcpus{};
    bool operator==(const GuestOverride&) const = default;
};

/// The user's settings for the hosts of an experiment: their clocks, and the hosts that guests run on. Hosts are identified by
/// TimelineHost::label or TimelineHost::id.
struct ClockSettings {
    std::string reference; ///< Reference host, whose clock is the time axis; the first trace's host if empty.
    /// Clocks that the user set, keyed by the label or id of the host. For a host without an entry, correlators find the clock.
    std::map<std::string, ClockOverride> hosts;
    /// Information about guests, by guest. Correlators find the hosts of guests without an entry.
    std::map<std::string, GuestOverride> guests{};
    bool operator==(const ClockSettings&) const = default;
};

/// Composes two clocks: `first` converts from clock A to clock B, `then` from B to C, and the result from A to C. Error bounds add up. If
/// either clock is raw (the times stay as recorded), the result is raw.
ClockOverride composed(const ClockOverride& first, const ClockOverride& then);
/// Inverts a clock: the result converts from the reference host's clock to the host's clock. A raw clock (the times
/// stay as recorded) stays raw.
ClockOverride inverse(const ClockOverride& given);

/// Converts `choice` to the reference host `host`. Returns nullopt if `choice` does not relate the clock of `host` to its reference.
std::optional<ClockSettings> onClockOf(const std::string& host, const ClockSettings& choice);

} // namespace helio
