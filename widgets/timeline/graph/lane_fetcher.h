#pragma once

#include "core/query/rows/arrows.h"
#include "widgets/async/latest_job.h"
#include "widgets/timeline/graph/lanes/line_scales.h"
#include "widgets/timeline/graph/rows/graph_rows.h"

#include <atomic>

namespace helio {

/// The bars of a row, or the numbers that are a line below them.
struct WantedLane {
    TrackRef track;
    TrackRef row; ///< Where it is shown: laneCame() names that.
    std::shared_ptr<const LaneSources> sources = {}; ///< Rows that the bars are the sum of. Null: `track` alone.
    TileShape tile = {}; ///< Of bars: what a lane that is kept must look like; its look as GraphScene::tileShape() has it.
    /// Of a line, which is numbers alone, without texts, samples and tile: lines of one kind are drawn to one scale. Nothing: bars.
    std::optional<std::string> lineKind = {};
};

/// All that is to be known of a window.
struct LaneRequest {
    std::shared_ptr<const Timeline> timeline;
    TimeScale scale; ///< Of the time area, in device pixels.
    double pixelsPerPoint = 1; ///< Device pixels a device-independent one.
    std::vector<WantedLane> lanes; ///< In the order they are asked for.
    std::vector<TrackRef> meters; ///< Rows whose part of the window on a CPU is shown.
    std::vector<TrackRef> near; ///< Tracks whose lanes stay however many are kept.
    LinkIds links; ///< Empty: no arrows.
};

/// Asks for what a view over time shows, on threads of its own, and keeps what came: it is painted until something newer comes. Knows no
/// widget: the view owns it, asks with request() whenever its window, rows or looks change, and paints from what it keeps. UI thread.
class LaneFetcher : public QObject {
    Q_OBJECT

public:
    /// Lanes that are kept and show just what is wanted are not asked for. In place of what was asked before: lanes that came stay.
    /// `looks` is used before this returns.
    void request(LaneRequest request, LaneLooks& looks);
    void cancel();
    /// The timeline knows more now: what is kept is asked for again once what was asked has come, as nothing would come while timelines
    /// come quickly. wanted() says when.
    void timelineChanged();
    void clear(); ///< Keeps nothing, and asks for nothing: there is another experiment.
    bool isBusy() const { return m_job.isBusy(); }

    const Lanes& lanes() const { return m_lanes; }
    const Lane* lane(TrackRef track) const; ///< Null: not known. Until the next event.
    const Shares& shares() const { return m_shares; }
    const std::vector<LossRange>& losses() const { return m_losses; }
    const LineScales& lineScales() const { return m_lineScales; }
    const std::vector<Arrow>& arrows() const { return m_arrows; } ///< Of the window, but for those beyond a number nobody could see.
    std::uint64_t arrowTotal() const { return m_arrowTotal; } ///< That the window has.
    bool hasAllArrows() const { return m_arrows.size() >= m_arrowTotal; }

signals:
    void laneCame(helio::TrackRef row);
    void arrowsCame();
    void lossesChanged();
    void sharesCame();
    void wanted(); ///< request() again.

private:
    struct Asked {
        LaneQuestion question;
        TrackRef row;
        std::optional<std::string> lineKind;
    };
    struct Found {
        TrackRef track;
        TrackRef row;
        std::optional<std::string> lineKind;
        std::shared_ptr<const Lane> lane;
    };
    /// Of the window as a whole.
    struct Whole {
        std::vector<Arrow> arrows;
        std::uint64_t arrowTotal = 0;
        std::vector<LossRange> losses;
        std::vector<std::pair<TrackRef, BusyShare>> shares;
    };

    bool isKept(const WantedLane& wanted, const TimeScale& scale) const;
    Asked questionOf(WantedLane wanted, const LaneRequest& request, LaneLooks& looks) const;
    void forgetFar(const std::vector<TrackRef>& near);
    void fetchLanes(const Timeline& timeline, const std::vector<Asked>& asked, std::stop_token stop);
    void fetchNext(const Timeline& timeline, const std::vector<Asked>& asked, std::atomic<std::size_t>& next, std::stop_token stop);
    void takeLanes(const std::vector<Found>& found);
    void takeWhole(Whole whole);

    Lanes m_lanes;
    Shares m_shares;
    std::vector<LossRange> m_losses;
    LineScales m_lineScales;
    std::vector<Arrow> m_arrows;
    std::uint64_t m_arrowTotal = 0;
    std::uint64_t m_version = 1; ///< Of the timeline: lanes of older ones are asked for again.
    bool m_asksAgain = false; ///< The timeline changed while it was asked.
    LatestJob m_job;
};

} // namespace helio
