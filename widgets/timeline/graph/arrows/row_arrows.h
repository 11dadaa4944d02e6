#pragma once

#include "core/query/rows/arrows.h"
#include "widgets/async/latest_task.h"

namespace helio {

struct RowArrowsRequest {
    std::shared_ptr<const Timeline> timeline;
    LinkIds links;
    std::vector<TrackRef> rows; ///< Rows whose arrows are requested; invalid refs are skipped.
    TimeRange window;
    Duration step{1}; ///< Minimum time between two returned arrows of a row.
    TimeRange state; ///< State interval in rows[0]. Its arrows are returned without thinning; empty if there is none.
    /// Maximum number of arrows in each of three groups: arrows at the beginning of `state`, arrows inside `state`, and arrows at its end.
    std::size_t most = 0;
};

/// Finds the arrows of single rows, for visible ranges with too many arrows to fetch all. The last result stays available until a newer one
/// arrives.
/// Threads: UI thread; the search runs on a thread of its own.
/// Ownership: owned by the view.
class RowArrows : public QObject {
    Q_OBJECT

public:
    void request(RowArrowsRequest request); ///< Starts a search; replaces a pending request.
    void clear(); ///< Clears the result and cancels a pending request.
    const std::vector<Arrow>& arrows() const { return m_arrows; }

signals:
    void came();

private:
    std::vector<Arrow> m_arrows;
    LatestTask m_job;
};

} // namespace helio
