#pragma once

#include "core/query/rows/rows.h"

#include <functional>
#include <vector>

namespace helio::machines {

/// A row that is asked about moments one after the other: what lies around the last one is kept, some thousand intervals. Going back costs
/// reading them again. One thread; the timeline outlives it.
class RowCursor {
public:
    /// Of a row that is not valid, nothing is ever found.
    RowCursor(const Timeline& timeline, TrackRef row);

    bool isValid() const { return m_row.isValid(); }
    TrackRef row() const { return m_row; }
    TimeRange life() const { return m_life; }

    /// The interval at a time. Null: there is none. Stays until it is asked again.
    const Interval* at(Timestamp time);

    /// Those that overlap the range, cut to it, in order. `take` must not ask this cursor.
    void each(TimeRange range, const std::function<void(const Interval&)>& take);

private:
    /// Whether there is any at `time` or behind; then the loaded ones begin around it.
    bool load(Timestamp time);

    const Timeline& m_timeline;
    TrackRef m_row;
    TimeRange m_life{};
    Duration m_step{}; ///< That is loaded at a time.
    TimeRange m_loaded{};
    std::vector<Interval> m_intervals;
};

} // namespace helio::machines
