#pragma once

#include "widgets/async/latest_task.h"
#include "widgets/timeline/graph/graph_scene.h"

namespace helio {

/// Finds the state to outline, at the cursor in the selected row, and its label. The last result stays available until a newer one arrives.
/// Threads: UI thread; the search runs on a thread of its own.
/// Ownership: owned by the view.
class StateMark : public QObject {
    Q_OBJECT

public:
    /// Searches for the state to outline: the state of `row` at `at`. Replaces a pending request. A call that `frames` hides is not
    /// outlined.
    void request(std::shared_ptr<const Timeline> timeline, TrackRef row, Timestamp at, FrameChoice frames = {});
    void forget(); ///< Clears the result and cancels a pending request.
    bool isBusy() const { return m_job.isBusy(); }

    /// Outlined state; nullopt if none. The row index in MarkedState is not set, because it depends on the shown rows: the caller sets it
    /// to the index of row().
    const std::optional<MarkedState>& state() const { return m_state; }
    TrackRef row() const { return m_row; } ///< Row that contains state().

signals:
    void changed(helio::TrackRef row); ///< Emitted when the outline of a state in `row` appears or disappears.
    void came(); ///< Emitted when a search for the state to outline has ended.

private:
    void set(TrackRef row, std::optional<MarkedState> state);

    std::optional<MarkedState> m_state;
    TrackRef m_row;
    LatestTask m_job;
};

} // namespace helio
