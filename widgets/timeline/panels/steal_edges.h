#pragma once

#include "widgets/async/latest_task.h"
#include "widgets/timeline/graph/axis/time_axis.h"

namespace helio {

/// Finds which threads had the CPU while a vCPU waited for it, for the state under the pointer, otherwise for the selected state. The
/// result is marked on the rows of all panels (TimeAxis::culpritIntervals()). Queries once per state, and never without virtual
/// machines.
/// Threads: UI thread; the queries run on a thread of its own.
/// Ownership: the axis outlives it.
class StealEdges : public QObject {
    Q_OBJECT

public:
    StealEdges(TimeAxis& axis, QObject* parent);

private:
    using All = std::shared_ptr<const std::vector<CulpritInterval>>;
    /// Result of the query for a row, and the time range in which it is valid.
    struct StealResult {
        TrackRef row;
        TimeRange range;
        All all;

        bool isOf(TrackRef other, Timestamp at) const { return row.isValid() && row == other && range.contains(at); }
    };
    static StealResult findResult(const Timeline& timeline, TrackRef row, Timestamp at, const std::stop_token& stop);
    void forget();
    void ask();
    void show();

    TimeAxis& m_axis;
    StealResult m_pointed;
    StealResult m_selected;
    std::shared_ptr<const Timeline> m_of; ///< Timeline that the cached results belong to.
    bool m_hasMachines = true; ///< False if the timeline is known to have no virtual machines.
    LatestTask m_job;
};

} // namespace helio
