#pragma once

#include "core/fleet/fleet_table.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace helio::fleet {

/// Traces with findings of one finder.
struct FinderCount {
    std::string finder; ///< Id of the finder.
    std::string color; ///< Most frequent colour of its findings, in the format of StateStyle::color.
    std::size_t traces = 0;
};

/// The longest latency of a host.
struct HostLatency {
    static constexpr int MostHeat = 4;

    std::string name; ///< FleetTrace::name() of its traces.
    std::size_t traces = 0;
    std::optional<Duration> most; ///< Longest latency in all of its traces; nullopt if unknown.
    bool isLowerBound = false; ///< True if a trace of the host has losses.
    /// From 1 for the fastest hosts to MostHeat for the slowest ones, on a logarithmic scale; 0 if `most` is unknown.
    int heat = 0;
};

/// Figures over all traces of a table.
struct FleetOverview {
    LatencyKind kind = LatencyKind::Scheduling; ///< Kind of the hosts' latencies: the first one that the traces have.
    LatencyKind otherKind = LatencyKind::Block; ///< Another kind, which is shown beside it.
    std::vector<FinderCount> finders; ///< The most traces first.
    std::vector<HostLatency> hosts; ///< Sorted by name.
    /// Percentile 99.9 of all latencies by LatencyKind, above which a latency belongs to the tail; nullopt if there are none.
    std::array<std::optional<DurationDigest::Percentile>, LatencyKinds.size()> tail;
    std::vector<std::uint32_t> byLatency; ///< Traces in the order of orderByLatency() for `kind`.

    const std::optional<DurationDigest::Percentile>& tailOf(LatencyKind it) const { return tail[static_cast<std::size_t>(it)]; }
};

/// Threads: any.
/// Cost:    sorts the traces by host and by latency.
FleetOverview computeOverview(const FleetTable& table);

} // namespace helio::fleet
