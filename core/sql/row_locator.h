#pragma once

#include "core/sql/model/counter_tracks.h"
#include "core/sql/model/recorded_things.h"
#include "core/sql/model/slices.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace helio::sql {

/// Finds the rows of the timeline that the ids in a result refer to.
///
/// Threads: any thread at once.
class RowLocator {
public:
    /// Cost: makes the rows of all threads, and looks at each track, as openDatabase() does.
    explicit RowLocator(std::shared_ptr<const Timeline> timeline);

    /// Returns the row with a thread's states; not valid if there is none.
    TrackRef threadRow(std::int64_t utid) const;
    /// Returns the row of a CPU from its `ucpu`, or from its number if the experiment has one host; not valid if there is none.
    TrackRef cpuRow(std::int64_t ucpu) const;
    /// Returns the row of a track of slices or of counters; not valid if there is none.
    TrackRef trackRow(std::int64_t trackId) const;

private:
    std::shared_ptr<const RecordedThings> m_things;
    std::shared_ptr<const Slices> m_slices;
    std::vector<CounterTrack> m_counters;
};

} // namespace helio::sql
