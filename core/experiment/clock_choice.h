#pragma once

#include "core/clock/clock_transform.h"
#include "core/clock/fit/clock_line.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace helio {

/// What a person says of one host's clock.
struct GivenClock {
    std::optional<ClockLine> line; ///< From the host's clock to the reference's. None: its times stay raw.
    Duration error{}; ///< That it is right within.
    std::vector<ClockPoint> points{}; ///< Exactly through these, where one line is not all that is known; then `line` is the best single one.
    bool isBent = false; ///< They are not on one line.
    bool operator==(const GivenClock&) const = default;
};

/// What a person decides about the clocks of an experiment. Hosts are named as TimelineHost::label or id.
struct ClockChoice {
    std::string reference; ///< The host whose clock all times are on. Empty: the first trace's.
    std::map<std::string, GivenClock> hosts; ///< All others are aligned by what relations find.
    bool operator==(const ClockChoice&) const = default;
};

} // namespace helio
