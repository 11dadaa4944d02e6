#pragma once

#include <cstdint>
#include <string>

namespace helio {

struct Timeline;

/// Returns how a trace's clock is related to the clock of the experiment, as a phrase for the user: "same clock as kernel", "set by hand",
/// "offset unknown: …". Empty if the trace is alone or has no times.
/// Threads: any.
std::string clockRelation(const Timeline& timeline, std::uint32_t trace);

} // namespace helio
