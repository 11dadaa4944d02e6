#pragma once

#include "core/query/rows/arrows.h"
#include "widgets/async/latest_task.h"
#include "widgets/timeline/graph/graph_scene.h"
#include "widgets/timeline/graph/lanes/line_scales.h"
#include "widgets/timeline/graph/rows/graph_rows.h"

#include <atomic>

namespace helio {

/// Request for the bars of a row, or for the numbers of a line below them.
struct WantedLane {
    TrackRef track;
    TrackRef row; ///< Row that shows the lane; laneCame() reports it.
    std::shared_ptr<const LaneSources> sources = {}; ///< Rows whose sum the bars show; nullptr if the bars are those of `track` alone.
    /// For bars: shape that a cached lane must have, from GraphScene::tileShape().
    TileShape tile = {};
    /// RowLine::kind for a line, whose lane has numbers only, without texts, samples and tile. nullopt for bars.
    std::optional<std::string> lineKind = {};
};

/// All data that a view wants for its visible range.
struct LaneRequest {
    std::shared_ptr<const Timeline> timeline;
    TimeScale scale; ///< Scale of the time area in device pixels.
    double pixelsPerPoint = 1; ///< Device pixels per device-independent pixel.
    std::vector<WantedLane> lanes; ///< In the order in which they are fetched.
    std::vector<TrackRef> meters; ///< Rows whose share of the visible range on a CPU is shown.
    std::vector<TrackRef> near; ///< Tracks whose lanes stay cached, however many lanes there are.
    LinkIds links; ///< Links whose arrows are wanted; empty for none.
};

/// Fetches the data of a view over time on threads of its own, and caches it: the view paints the cached data until newer data arrives. The
/// view calls request() whenever its visible range, rows or looks change.
/// Threads: UI thread; the queries run on threads of its own.
/// Ownership: owned by the view; does not know widgets.
class LaneFetcher : public QObject {
    Q_OBJECT

public:
    /// Replaces a pending request; lanes that have arrived stay cached. Cached lanes with the wanted range, shape and version are not
    /// fetched again. `looks` is not used after this returns.
    void request(LaneRequest request, LaneStyles& looks);
    void cancel();
    /// Marks the cached data as outdated, as the timeline has grown. wanted() is emitted when the pending request is done, not at once:
    /// otherwise no request would ever be completed while new timelines arrive quickly.
    void timelineChanged();
    void clear(); ///< Drops the cached data and the pending request, for another experiment.
    bool isBusy() const { return m_job.isBusy(); }

    const Lanes& lanes() const { return m_lanes; }
    const Lane* lane(TrackRef track) const; ///< nullptr if not cached. Valid until the next event.
    const Shares& shares() const { return m_shares; }
    const std::vector<LossRange>& losses() const { return m_losses; }
    const LineScales& lineScales() const { return m_lineScales; }
    /// Arrows of the visible range, at most 4,000: more could not be seen.
    const std::vector<Arrow>& arrows() const { return m_arrows; }
    std::uint64_t arrowTotal() const { return m_arrowTotal; } ///< Number of arrows in the visible range.
    bool hasAllArrows() const { return m_arrows.size() >= m_arrowTotal; }

signals:
    void laneCame(helio::TrackRef row);
    void arrowsCame();
    void lossesChanged();
    void sharesCame();
    void wanted(); ///< Emitted when the view shall call request() again.

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
    /// Data of the visible range as a whole.
    struct RangeData {
        std::vector<Arrow> arrows;
        std::uint64_t arrowTotal = 0;
        std::vector<LossRange> losses;
        std::vector<std::pair<TrackRef, BusyShare>> shares;
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
    std::uint64_t m_version = 1; ///< Version of the timeline; lanes of older versions are fetched again.
    bool m_asksAgain = false; ///< True if the timeline changed during the pending request.
    LatestTask m_job;
};

/// Returns the request for the rows of a scene that are in view, followed by the rows near them. The caller adds timeline and links.
LaneRequest lanesOf(const GraphScene& scene);

} // namespace helio
