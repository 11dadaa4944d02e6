// Requests of a time graph, which are answered off the UI thread.

#include "widgets/theme/themes.h"
#include "widgets/timeline/graph/lanes/lane_lookup.h"
#include "widgets/timeline/graph/scene_lanes.h"
#include "widgets/timeline/graph/time_graph.h"

#include <QScrollBar>

namespace helio {

namespace {

constexpr int NearRows = 16; ///< Rows above and below the view whose calls are requested: about a page for scrolling.
constexpr int TickReach = 1; ///< Distance in pixels beside a tick at which the pointer still hits it.

std::vector<std::uint32_t> tracesOf(const GraphRows& rows, int first, int last)
{
    std::vector<std::uint32_t> traces;
    for (int row = first; row < last; ++row)
        if (rows[row].lane().isValid() && std::ranges::find(traces, rows[row].trace) == traces.end())
            traces.push_back(rows[row].trace);
    return traces;
}

/// Returns the range of samples that a time means: the samples near it, or the one sample whose period contains it.
TimeRange ticksMeant(Timestamp at, TimeRange near, const Lane& lane)
{
    return lane.samplePeriod > near.duration() ? TimeRange{at, at + lane.samplePeriod} : near;
}

} // namespace

void TimeGraph::connectFetchers()
{
    connect(&m_fetcher, &LaneFetcher::wanted, this, &TimeGraph::requestLanes);
    connect(&m_fetcher, &LaneFetcher::laneCame, this, [this](TrackRef row) { m_frame.refreshRow(m_rows.findLane(row)); });
    connect(&m_fetcher, &LaneFetcher::lossesChanged, this, [this] { m_frame.refreshBars(); });
    connect(&m_fetcher, &LaneFetcher::sharesCame, this, [this] { m_frame.refreshLabels(); });
    const auto arrowsMayBeOthers = [this] {
        m_frame.refreshArrows();
        requestRowArrows();
    };
    connect(&m_fetcher, &LaneFetcher::arrowsCame, this, arrowsMayBeOthers);
    connect(&m_mark, &StateMark::came, this, arrowsMayBeOthers);
    connect(&m_mark, &StateMark::changed, this, [this](TrackRef track) {
        const int row = m_rows.find(track);
        if (row < 0)
            return;
        for (const int painted : {row - 1, row, row + 1}) // The text may lie over the row above, the outline's edge over the row below.
            m_frame.refreshRow(painted);
    });
    connect(&m_rowArrows, &RowArrows::came, this, [this] { m_frame.refreshArrows(); });
}

void TimeGraph::showEvent(QShowEvent*) { requestLanes(); }

void TimeGraph::requestLanes()
{
    const auto& timeline = axis().timeline();
    if (!timeline || !axis().scale(width()).isValid() || m_rows.count() == 0 || !isVisible() || height() == 0)
        return m_fetcher.cancel();
    const GraphScene scene = this->scene();
    const auto [first, last] = scene.visibleRows();
    if (auto traces = tracesOf(m_rows, first, last); std::exchange(m_shownTraces, traces) != traces)
        emit shownTracesChanged();
    LaneRequest request = lanesOf(scene);
    request.timeline = timeline;
    if (axis().showsArrows())
        request.links = shownLinks();
    m_fetcher.request(std::move(request), m_looks);
}

/// If the visible range has too many links to fetch all, the links of the selected and hovered row are requested on their own, and the
/// links of the selected state one by one.
void TimeGraph::requestRowArrows()
{
    const auto& timeline = axis().timeline();
    if (!timeline || m_fetcher.hasAllArrows() || !axis().showsArrows())
        return m_rowArrows.clear();
    const ArrowLayoutContext place = arrowLayoutContext();
    const Duration step = std::max(place.scale.durationOf(LeastArrowGap), Duration(1));
    m_rowArrows.request({timeline,
                         shownLinks(),
                         {axis().window().row(), hoveredTrack()},
                         axis().window().visible(),
                         step,
                         place.selectedState,
                         std::size_t(place.limit()) + 1});
}

/// Requests the calls of the call stacks in view, and of some rows around.
void TimeGraph::requestCalls()
{
    const auto& timeline = axis().timeline();
    const auto [first, last] = scene().visibleRows();
    std::vector<TrackRef> depths;
    for (int row = std::max(0, first - NearRows); timeline && row < std::min(m_rows.count(), last + NearRows); ++row)
        if (m_rows[row].hasFrames())
            depths.push_back(m_rows[row].ref);
    if (depths.empty())
        return m_calls.forget();
    m_calls.request(timeline, std::move(depths), axis().window().cursor(), m_looks.frames());
}

void TimeGraph::requestState()
{
    requestCalls();
    const TrackRef track = axis().window().row();
    if (!axis().timeline() || m_rows.find(track) < 0)
        m_mark.forget();
    else
        m_mark.request(axis().timeline(), track, axis().window().cursor(), m_looks.frames());
}

void TimeGraph::requestTip()
{
    const int row = m_hoveredRow;
    const QPoint at = hoveredAt();
    const auto timeline = axis().timeline();
    if (!timeline || row < 0 || row >= m_rows.count() || !underMouse() || isInLabels(at))
        return;
    const ArrowLine* line = m_frame.arrows().lineAt(at - timeArea().topLeft(), ArrowHitDistance);
    if (!line && !laneTrackAt(at).isValid())
        return;
    const auto place = [this, row]() -> std::optional<TipPosition> {
        if (row != m_hoveredRow || isDragging())
            return std::nullopt;
        const int top = m_rows.top(row) - m_scroll->value();
        return TipPosition{hoveredAt(), top, top + m_rows.metrics(row).height};
    };
    TipRequest question = tipRequest(row, at);
    if (line)
        tips().ask(arrowTip(std::move(question), line->arrow), place);
    else
        tips().ask(stateTip(std::move(question)), place);
}

TipRequest TimeGraph::tipRequest(int row, QPoint at) const
{
    const GraphRow& it = m_rows[row];
    TipRequest question{axis().timeline(),
                        laneTrackAt(at),
                        !it.place.isEmpty() ? it.place : it.name + (it.id.isEmpty() ? QString() : QLatin1Char(' ') + it.id),
                        timeAt(at),
                        {},
                        {},
                        axis().format(),
                        axis().digits(width()),
                        theme(),
                        {timeAt(at), timeAt(at + QPoint(1, 0))},
                        it.sources};
    if (const Lane* lane = laneAt(at)) {
        question.column = foldedRangeAt(*lane, question.at);
        if (!lane->samples.empty())
            question.ticks = ticksMeant(question.at, {timeAt(at - QPoint(TickReach, 0)), timeAt(at + QPoint(TickReach + 1, 0))}, *lane);
    }
    return question;
}

} // namespace helio
