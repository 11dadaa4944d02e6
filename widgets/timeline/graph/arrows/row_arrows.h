#pragma once

#include "core/query/rows/arrows.h"
#include "widgets/async/latest_task.h"

namespace helio {

struct RowArrowsRequest {
    std::shared_ptr<const Timeline> timeline;
    LinkIds links;
    std::vector<TrackRef> rows; ///< Rows whose arrows are wanted; invalid ones are skipped.
    TimeRange window;
    Duration step{1}; ///< Minimum time between two arrows of a row: at most one arrow per step is found.
    TimeRange state; ///< State interval of the first row whose arrows are found one by one; empty if none.
    std::size_t most = 0; ///< Maximum number of arrows found for each of: the begin, the inside and the end of `state`.
};

/// Finds the arrows of single rows, for visible ranges that have too many arrows to fetch all. The result is kept until the next one
/// arrives.
/// Threads: UI thread; the search runs on a thread of its own.
/// Ownership: owned by the view.
class RowArrows : public QObject {
    Q_OBJECT

public:
    void request(RowArrowsRequest request); ///< Replaces a pending request.
    void clear(); ///< Drops the arrows and a pending request.
    const std::vector<Arrow>& arrows() const { return m_arrows; }

signals:
    void came();

private:
    std::vector<Arrow> m_arrows;
    LatestTask m_job;
};

} // namespace helio
