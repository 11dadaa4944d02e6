#pragma once

#include "widgets/async/latest_task.h"
#include "widgets/timeline/graph/axis/time_axis.h"

namespace helio {

/// Finds who had the CPU that a vCPU did not get, for the state under the pointer, otherwise for the selected state, and shows it on the
/// rows of all panels (TimeAxis::findCulpritIntervals()). Queries once for each state, and not at all without virtual machines.
/// Threads: UI thread; the queries run on a thread of its own.
/// Ownership: the axis outlives it.
class StealEdges : public QObject {
    Q_OBJECT

public:
    StealEdges(TimeAxis& axis, QObject* parent);

private:
    using All = std::shared_ptr<const std::vector<CulpritInterval>>;
    /// Result for a row, and the range for which it is valid.
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
    std::shared_ptr<const Timeline> m_of; ///< Timeline of the results.
    bool m_hasMachines = true; ///< False once it is known that there are no virtual machines.
    LatestTask m_job;
};

} // namespace helio
