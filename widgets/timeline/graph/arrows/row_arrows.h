#pragma once

#include "core/query/rows/arrows.h"
#include "widgets/async/latest_job.h"

namespace helio {

struct RowArrowsRequest {
    std::shared_ptr<const Timeline> timeline;
    LinkIds links;
    std::vector<TrackRef> rows; ///< Of those that are not valid there are none.
    TimeRange window;
    Duration step{1}; ///< Of the window: one arrow of a row stands for those that lie in the same step.
    TimeRange state; ///< A state of the first row: the arrows there are asked for one by one. Empty: none.
    std::size_t most = 0; ///< Arrows of the state.
};

/// The arrows of single rows, where a window holds too many to have them all. Asked for on a thread of its own, and kept until others come.
/// The view owns it. UI thread.
class RowArrows : public QObject {
    Q_OBJECT

public:
    void request(RowArrowsRequest request); ///< In place of what was asked before.
    void clear(); ///< There are none to be asked for.
    const std::vector<Arrow>& arrows() const { return m_arrows; }

signals:
    void came();

private:
    std::vector<Arrow> m_arrows;
    LatestJob m_job;
};

} // namespace helio
