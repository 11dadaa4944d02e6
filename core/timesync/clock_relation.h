#pragma once

#include <cstdint>
#include <string>

namespace helio {

struct Timeline;

/// Returns a phrase for the user that says how the clock of a trace is related to the clock of the experiment, for example "offset set by
/// hand" or "same clock as NAME", where NAME is the name of another trace. Empty if the experiment has only one trace or if the trace has
/// no times.
/// Threads: any.
std::string clockRelation(const Timeline& timeline, std::uint32_t trace);

} // namespace helio
