#pragma once

#include "core/base/time.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace helio {

struct Timeline;

/// Recordings whose times overlap, directly or by way of others of the group.
struct RecordingGroup {
    std::vector<std::uint32_t> traces; ///< Indices into Timeline::traces, in ascending order.
    TimeRange range; ///< Range from the first begin to the last end.
    bool operator==(const RecordingGroup&) const = default;
};

/// Returns the traces in groups by time, the earliest group first. Traces without times or events belong to the first group. Empty if the
/// range of a trace is not known yet, because its packets are not found.
/// Cost: proportional to the number of traces.
std::vector<RecordingGroup> groupRecordings(const Timeline& timeline);

/// True if the groups are better opened apart: most of the time from the first group to the last one, and at least a minute, is outside of
/// all groups.
bool areApart(const std::vector<RecordingGroup>& groups);

/// Returns a text that the times of the recordings do not overlap, and how to open the first group alone; empty unless areApart().
std::string apartText(const Timeline& timeline);

} // namespace helio
