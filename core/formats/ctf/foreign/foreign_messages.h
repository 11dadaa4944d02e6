#pragma once

#include "core/trace/trace_parts.h"

// Messages from heliograph-babeltrace2 to heliograph.

namespace helio::foreign {

/// Description of a trace by libbabeltrace2.
struct TraceDescription {
    std::string uuid;
    ClockInfo clock;
    bool hasTimes = false;
    std::vector<std::pair<std::string, EnvironmentValue>> environment;
    std::vector<EventType> types; ///< Event types in the order of their ids, without layouts.
    std::vector<StreamInfo> streams;
    std::vector<std::uint64_t> ports; ///< Number of each stream's output port in libbabeltrace2; parallel to `streams`.
    std::vector<Diagnostic> diagnostics;
};

enum class WireMessageKind : std::uint8_t { Failure, Described, Batch, End };

constexpr HelperProgram Babeltrace{"heliograph-babeltrace2", "babeltrace2", std::uint64_t{1} << 30};

} // namespace helio::foreign

namespace helio {

void parts(auto& wire, Is<foreign::TraceDescription> auto& it)
{
    wire(it.uuid, it.clock, it.hasTimes, it.environment, it.types, it.streams, it.ports, it.diagnostics);
}

} // namespace helio
