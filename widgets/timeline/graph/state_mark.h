#pragma once

#include "widgets/async/latest_job.h"
#include "widgets/timeline/graph/graph_scene.h"

namespace helio {

/// The outlined state: the selected row's at the cursor, with the words above it. Asked for on a thread of its own, and kept until another
/// one comes. The view owns it. UI thread.
class StateMark : public QObject {
    Q_OBJECT

public:
    /// In place of what was asked before. A call that `frames` hides is not outlined.
    void request(std::shared_ptr<const Timeline> timeline, TrackRef row, Timestamp at, FrameChoice frames = {});
    void forget(); ///< None is outlined, and none asked for.
    bool isBusy() const { return m_job.isBusy(); }

    const std::optional<MarkedState>& state() const { return m_state; } ///< Without its place among the rows.
    TrackRef row() const { return m_row; } ///< The state's.

signals:
    void changed(helio::TrackRef row); ///< A state of that row is outlined, or no longer.
    void came(); ///< What was asked for.

private:
    void set(TrackRef row, std::optional<MarkedState> state);

    std::optional<MarkedState> m_state;
    TrackRef m_row;
    LatestJob m_job;
};

} // namespace helio
