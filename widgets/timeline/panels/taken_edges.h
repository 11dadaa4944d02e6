#pragma once

#include "widgets/async/latest_job.h"
#include "widgets/timeline/graph/axis/time_axis.h"

namespace helio {

/// Finds, for what is under the pointer and else for what is selected, who had the CPU that a vCPU did not get then, and shows it on all
/// panels' rows (TimeAxis::takenStretches()). It asks on a thread of its own, once for each state, and nothing where there are no machines.
/// The axis outlives it. UI thread.
class TakenEdges : public QObject {
    Q_OBJECT

public:
    TakenEdges(TimeAxis& axis, QObject* parent);

private:
    using All = std::shared_ptr<const std::vector<TakenStretch>>;
    /// What was found of a row, and how long that holds.
    struct Answer {
        TrackRef row;
        TimeRange range;
        All all;

        bool isOf(TrackRef other, Timestamp at) const { return row.isValid() && row == other && range.contains(at); }
    };
    static Answer answerOf(const Timeline& timeline, TrackRef row, Timestamp at, const std::stop_token& stop);
    void forget();
    void ask();
    void show();

    TimeAxis& m_axis;
    Answer m_pointed;
    Answer m_selected;
    std::shared_ptr<const Timeline> m_of; ///< What they are of.
    bool m_hasMachines = true; ///< Until it is known that there are none.
    LatestJob m_job;
};

} // namespace helio
