#pragma once

#include "core/counters/counters.h"
#include "core/sql/model/recorded_things.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace helio::sql {

/// A counter as a track of the table `counter_track`.
struct CounterTrack {
    std::int64_t id = 0; ///< Id in the table `track`; the ids of counters follow those of the tracks of slices.
    CounterRef series;
    std::string name;
    std::string unit; ///< Empty for plain numbers.
    std::string type; ///< Id of the counter's view; empty if no view shows it.
    CounterNumber number = CounterNumber::Integer;
    HostId host = 0;
    std::optional<std::uint32_t> thread; ///< Index into RecordedThings::threads().
    std::optional<std::uint32_t> process; ///< Index into RecordedThings::processes(), for counters of processes and not of threads.
    std::int32_t cpu = -1;
    std::uint64_t firstPoint = 0; ///< Id of the first point in the table `counter`.
    std::uint64_t points = 0;
};

/// Returns all counters of a timeline. `firstId` is the id of the first track.
/// Cost: small; reads no points.
std::vector<CounterTrack> counterTracks(const RecordedThings& things, std::int64_t firstId);

} // namespace helio::sql
