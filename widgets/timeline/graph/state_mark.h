#pragma once

#include "widgets/async/latest_task.h"
#include "widgets/timeline/graph/graph_scene.h"

namespace helio {

/// Finds the outlined state: the selected row's state at the cursor, with its text. It is kept until the next one arrives.
/// Threads: UI thread; the search runs on a thread of its own.
/// Ownership: owned by the view.
class StateMark : public QObject {
    Q_OBJECT

public:
    /// Replaces a pending request. A call that `frames` hides is not outlined.
    void request(std::shared_ptr<const Timeline> timeline, TrackRef row, Timestamp at, FrameChoice frames = {});
    void forget(); ///< Drops the state and a pending request.
    bool isBusy() const { return m_job.isBusy(); }

    const std::optional<MarkedState>& state() const { return m_state; } ///< The state without its row among the painted rows.
    TrackRef row() const { return m_row; } ///< Row of state().

signals:
    void changed(helio::TrackRef row); ///< Emitted when a state of the row becomes outlined, or no longer is.
    void came(); ///< Emitted when a request is done.

private:
    void set(TrackRef row, std::optional<MarkedState> state);

    std::optional<MarkedState> m_state;
    TrackRef m_row;
    LatestTask m_job;
};

} // namespace helio
