#pragma once

#include "core/query/rows/rows.h"

#include <functional>
#include <vector>

namespace helio::machines {

/// Reads the intervals of a row, optimized for queries in time order. Caches some thousand intervals around the last query; queries further
/// back read intervals again.
/// Ownership: the timeline outlives the object.
/// Threads: to be used by one thread.
class RowCursor {
public:
    /// Creates a cursor for a row. If the row is not valid, the cursor finds no intervals.
    RowCursor(const Timeline& timeline, TrackRef row);

    bool isValid() const { return m_row.isValid(); }
    TrackRef row() const { return m_row; }
    TimeRange life() const { return m_life; }

    /// Returns the interval at a time; nullptr if there is none. The pointer is valid until the next call.
    const Interval* at(Timestamp time);

    /// Calls `take` for each interval that overlaps the range, clipped to the range, in time order. `take` must not use this cursor.
    void each(TimeRange range, const std::function<void(const Interval&)>& take);

private:
    /// Loads the intervals around `time`. The row is divided into parts of length m_step; the part that contains `time` is loaded. Returns
    /// false if the row ends at or before `time`.
    bool load(Timestamp time);

    const Timeline& m_timeline;
    TrackRef m_row;
    TimeRange m_life{};
    Duration m_step{}; ///< Length of the time range that load() reads at once.
    TimeRange m_loaded{};
    std::vector<Interval> m_intervals;
};

} // namespace helio::machines
