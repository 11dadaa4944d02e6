#pragma once

#include "core/clock/clock_transform.h"
#include "core/clock/fit/clock_line.h"
#include "core/correlation/host_evidence.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace helio {

/// How a clock was found before somebody wrote it to a file.
struct ClockOrigin {
    ClockMethod method = ClockMethod::Manual;
    FitQuality quality = FitQuality::None;
    Duration bound = Duration::max(); ///< What its times are right within, everywhere in its traces. Duration::max(): not known.
    std::optional<std::int64_t> driftError{}; ///< As ClockFit has it.
    std::size_t arrivals = 0; ///< Messages with the host before it on the path, to this one,
    std::size_t departures = 0; ///< and from it;
    std::size_t outliers = 0; ///< of them: those that contradict the others.
    std::vector<std::string> path{}; ///< Labels, from the reference to this one.
    bool operator==(const ClockOrigin&) const = default;
};

/// What a person says of one host's clock.
struct GivenClock {
    std::optional<ClockLine> line; ///< From the host's clock to the reference's. None: its times stay raw.
    Duration error = Duration::max(); ///< That it is right within. Duration::max(): nobody says.
    /// Exactly through these, where one line is not all that is known; then `line` is the best single one.
    std::vector<ClockPoint> points{};
    bool isBent = false; ///< They are not on one line.
    std::optional<ClockOrigin> origin{}; ///< None: a person set it.
    bool operator==(const GivenClock&) const = default;
};

/// What a person says of a host that may be a virtual machine: whose guest it is.
struct GivenGuest {
    std::string host; ///< That it runs on. Empty: it is a guest of no host here.
    std::int32_t process = -1; ///< The machine's pid there; of a thread whose process is not known, its tid.
    std::map<std::int32_t, std::int32_t> vcpus{}; ///< Which thread (tid) runs which of the guest's CPUs. Of all others it is found.
    bool operator==(const GivenGuest&) const = default;
};

/// What a person decides about the hosts of an experiment: their clocks, and whose guests they are. They are named as TimelineHost::label
/// or id.
struct ClockChoice {
    std::string reference; ///< The host whose clock all times are on. Empty: the first trace's.
    std::map<std::string, GivenClock> hosts; ///< All others are aligned by what relations find.
    std::map<std::string, GivenGuest> guests{}; ///< Of all others it is found whose guests they are.
    bool operator==(const ClockChoice&) const = default;
};

} // namespace helio
