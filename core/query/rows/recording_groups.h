#pragma once

#include "core/base/time.h"

#include <cstddef>
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

/// Returns the traces in groups by time, the earliest group first. Traces without times or events belong to the group that shownGroup()
/// returns. Empty if the range of a trace is not known yet, because its packets are not found.
/// Cost: proportional to the number of traces.
std::vector<RecordingGroup> groupRecordings(const Timeline& timeline);

/// Returns the group that a window shows first, as an index into `groups`: the earliest group with a trace that promises rows
/// (promisesRows()); the earliest group if no trace does.
std::size_t shownGroup(const Timeline& timeline, const std::vector<RecordingGroup>& groups);

/// True if the groups are better opened apart: most of the time from the first group to the last one, and at least a minute, is outside of
/// all groups.
bool areApart(const std::vector<RecordingGroup>& groups);

/// Returns the range of the time axis of a window. It is the range of the experiment, except if groups are apart and the distances between
/// them mean nothing, because their clocks are not related and not all of them are wall clocks: then it is the range of shownGroup().
/// Cost: proportional to the number of traces.
TimeRange axisRange(const Timeline& timeline);

/// Returns a text that the times of the recordings do not overlap, and how to open the group of shownGroup() alone; empty unless
/// areApart().
std::string apartText(const Timeline& timeline);

} // namespace helio
