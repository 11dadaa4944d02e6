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

/// Describes how a clock was found that was then written to a file.
struct ClockOrigin {
    ClockMethod method = ClockMethod::Manual;
    FitQuality quality = FitQuality::None;
    Duration bound = Duration::max(); ///< Error bound of the clock in all of the host's traces; Duration::max() if unknown.
    std::optional<std::int64_t> driftError{}; ///< Like ClockFit::driftError, in 10^-12; empty if unknown.
    std::size_t arrivals = 0; ///< Number of messages that this host got from its neighbour on `path`.
    std::size_t departures = 0; ///< Number of messages that this host sent to its neighbour on `path`.
    std::size_t outliers = 0; ///< Number of all those messages that contradict the rest.
    std::vector<std::string> path{}; ///< Labels of the hosts from the reference host to this host.
    bool operator==(const ClockOrigin&) const = default;
};

/// The clock that the user, or a clock file, gives a host.
struct ClockOverride {
    std::optional<ClockLine> line; ///< From the host's clock to the reference host's; empty if the host's times stay raw.
    Duration error = Duration::max(); ///< Error bound of times on `line`; Duration::max() if unknown.
    /// Exact points of the clock if more is known than one line; `line` is then the best single line. Empty otherwise.
    std::vector<ClockPoint> points{};
    bool isBent = false; ///< True if `points` do not lie on one line.
    std::optional<ClockOrigin> origin{}; ///< Empty if the user set the clock.
    bool operator==(const ClockOverride&) const = default;
};

/// The user's statement about a virtual machine: the host that it runs on, its process and its vCPUs.
struct GuestOverride {
    std::string host; ///< Label or id of the host that the guest runs on; empty if it is no guest of an open host.
    std::int32_t process = -1; ///< PID of the virtual machine on `host`; its TID if the process of a thread is unknown.
    /// Guest CPU by TID of the vCPU's thread on `host`. Other vCPUs are found by a correlator.
    std::map<std::int32_t, std::int32_t> vcpus{};
    bool operator==(const GuestOverride&) const = default;
};

/// The user's choices for the hosts of an experiment: their clocks, and the hosts that guests run on. Hosts are named by
/// TimelineHost::label or TimelineHost::id.
struct ClockSettings {
    std::string reference; ///< The host whose clock is the time axis; the first trace's host if empty.
    std::map<std::string, ClockOverride> hosts; ///< Clocks by host. Hosts without an entry get the clock that correlators find.
    std::map<std::string, GuestOverride> guests{}; ///< Statements by guest. Guests without an entry get the host that correlators find.
    bool operator==(const ClockSettings&) const = default;
};

/// Chains two clocks: `first` leads from clock A to clock B, `then` from B to C, and the result from A to C. Error bounds add up. The
/// result is raw if either clock is raw.
ClockOverride composed(const ClockOverride& first, const ClockOverride& then);
/// Inverts a clock: leads from the reference host's clock to the host's. A raw clock stays raw.
ClockOverride inverse(const ClockOverride& given);

/// Restates `choice` with `host` as the reference host. Empty if `choice` does not relate the clock of `host` to its reference.
std::optional<ClockSettings> onClockOf(const std::string& host, const ClockSettings& choice);

} // namespace helio
