#pragma once

#include "core/query/rows/arrows.h"
#include "widgets/async/latest_task.h"
#include "widgets/timeline/graph/graph_scene.h"
#include "widgets/timeline/graph/lanes/line_scales.h"
#include "widgets/timeline/graph/rows/graph_rows.h"

#include <atomic>

namespace helio {

/// Request for the bars of one row, or for the numbers drawn as a line below the bars.
struct WantedLane {
    TrackRef track;
    TrackRef row; ///< Row that shows the lane; passed to laneCame().
    std::shared_ptr<const LaneSources> sources = {}; ///< Rows whose sum the bars show; nullptr if the bars show `track` alone.
    /// Required shape of the bars, from GraphScene::tileShape(); unused for a line.
    TileShape tile = {};
    /// RowLine::kind if a line is requested; a line's lane has only numbers, without texts, samples and tile. nullopt if bars are
    /// requested.
    std::optional<std::string> lineKind = {};
};

/// All data that a view wants for its visible range.
struct LaneRequest {
    std::shared_ptr<const Timeline> timeline;
    TimeScale scale; ///< Scale of the time area in device pixels.
    double pixelsPerPoint = 1; ///< Device pixels per device-independent pixel.
    std::vector<WantedLane> lanes; ///< Lanes to fetch, the most urgent first.
    std::vector<TrackRef> meters; ///< Rows whose share of time on a CPU is fetched, for the visible range.
    std::vector<std::pair<TrackRef, UtilizationSeries>> utilized; ///< Rows whose utilization is shown, with its series.
    std::vector<TrackRef> near; ///< Tracks near the view, whose lanes always stay cached.
    LinkIds links; ///< Kinds of links to return as arrows; empty for none.
};

/// Fetches the data that a time graph shows, on threads of its own, and caches it: the view paints cached data until newer data arrives.
/// The view calls request() whenever its visible range, rows or looks change.
/// Threads: UI thread; the queries run on threads of its own.
/// Ownership: owned by the view; does not depend on widgets.
class LaneFetcher : public QObject {
    Q_OBJECT

public:
    /// Starts fetching; replaces a pending request. Lanes that have arrived stay cached; cached lanes with the right range, shape and
    /// version are not fetched again. `looks` is only used during the call.
    void request(LaneRequest request, LaneStyles& looks);
    void cancel();
    /// Marks the cached data as outdated, because the timeline has grown. wanted() is emitted only after the pending request is done:
    /// otherwise no request would ever complete while new timelines arrive quickly.
    void timelineChanged();
    void clear(); ///< Clears the cache and cancels the pending request, for another experiment.
    bool isBusy() const { return m_job.isBusy(); }

    const Lanes& lanes() const { return m_lanes; }
    /// Returns the cached lane of a track; nullptr if it is not cached. Valid until control returns to the event loop.
    const Lane* lane(TrackRef track) const;
    const Shares& shares() const { return m_shares; }
    const std::vector<LossRange>& losses() const { return m_losses; }
    const LineScales& lineScales() const { return m_lineScales; }
    /// Arrows of the visible range; at most 4,000, because more could not be distinguished.
    const std::vector<Arrow>& arrows() const { return m_arrows; }
    std::uint64_t arrowTotal() const { return m_arrowTotal; } ///< Number of arrows in the visible range.
    bool hasAllArrows() const { return m_arrows.size() >= m_arrowTotal; }

signals:
    void laneCame(helio::TrackRef row);
    void arrowsCame();
    void lossesChanged();
    void sharesCame();
    void wanted(); ///< Emitted when the timeline changed: the view must call request() again.

private:
    struct PendingLane {
        LaneQuery question;
        TrackRef row;
        std::optional<std::string> lineKind;
    };
    struct FetchedLane {
        TrackRef track;
        TrackRef row;
        std::optional<std::string> lineKind;
        std::shared_ptr<const Lane> lane;
    };
    /// Data of the visible range that belongs to no single lane.
    struct RangeData {
        std::vector<Arrow> arrows;
        std::uint64_t arrowTotal = 0;
        std::vector<LossRange> losses;
        Shares shares;
    };

    bool isKept(const WantedLane& wanted, const TimeScale& scale) const;
    PendingLane makeQuery(WantedLane wanted, const LaneRequest& request, LaneStyles& looks) const;
    void forgetFar(const std::vector<TrackRef>& near);
    void fetchLanes(const Timeline& timeline, const std::vector<PendingLane>& asked, std::stop_token stop);
    void fetchNext(const Timeline& timeline, const std::vector<PendingLane>& asked, std::atomic<std::size_t>& next, std::stop_token stop);
    void takeLanes(const std::vector<FetchedLane>& found);
    void takeRangeData(RangeData whole);

    Lanes m_lanes;
    Shares m_shares;
    std::vector<LossRange> m_losses;
    LineScales m_lineScales;
    std::vector<Arrow> m_arrows;
    std::uint64_t m_arrowTotal = 0;
    std::uint64_t m_version = 1; ///< Version of the timeline; cached lanes of older versions are fetched again.
    bool m_asksAgain = false; ///< True if the data must be requested again, because the timeline changed during the pending request.
    LatestTask m_job;
};

/// Returns the request for the rows in view and then the rows near the view. The caller must add timeline and links.
LaneRequest lanesOf(const GraphScene& scene);

} // namespace helio
