// What a time graph asks for, off the UI thread.

#include "core/query/rows/facts.h"
#include "widgets/theme/themes.h"
#include "widgets/timegraph/arrows/arrow_layout.h"
#include "widgets/timegraph/lanes/lane_places.h"
#include "widgets/timegraph/time_graph.h"

#include <QScrollBar>

#include <chrono>
#include <unordered_set>

namespace helio {

namespace {

constexpr int RowMargin = 8; ///< Rows asked for above and below those in view.
constexpr std::size_t MostLanes = 200; ///< Kept beside those in view: a lane takes some 100 KB.
constexpr std::size_t MostArrows = 4000;
constexpr double ArrowReach = 2.5; ///< Pixels beside an arrow that mean it.
constexpr int TickReach = 1; ///< Pixels beside a tick that mean it, too.
constexpr auto Batch = std::chrono::milliseconds(12);

struct Asked {
    TrackRef row;
    LaneQuestion question;
};

/// Somewhat wider than what is seen, so that a little panning needs no answer.
void widen(LaneQuestion& question)
{
    const Duration margin = question.window.duration() / 4;
    question.window = {question.window.begin - margin, question.window.end + margin};
    const int columns = int(question.tile.scale.width());
    question.tile.first = -columns / 4;
    question.tile.columns = columns + 2 * (columns / 4);
}

} // namespace

void TimeGraph::requestLanes()
{
    m_asksAgain = false;
    const auto timeline = axis().timeline();
    const TimeScale scale = deviceScale();
    if (!timeline || !scale.isValid() || m_rows.count() == 0 || !isVisible() || height() == 0) {
        m_lanesJob.cancel();
        return;
    }
    const GraphScene scene = this->scene();
    const auto [first, last] = scene.visibleRows();
    std::vector<Asked> asked;
    std::vector<TrackRef> meters;
    const auto ask = [&](int row, TrackRef track, bool isBars) {
        if (!track.isValid())
            return;
        LaneQuestion question{track, scale.window(), scale.resolution(), devicePixelRatioF(), m_version, isBars, {}, {}, {}};
        if (isBars) {
            question.tile = scene.tileShape(row);
            question.sources = m_rows[row].sources;
        }
        const auto it = m_lanes.find(track);
        if (it != m_lanes.end() && it->second->serves(scale.window(), scale.resolution(), m_version)
            && (!isBars || it->second->tile.shape().looksLike(question.tile)) && areSame(it->second->sources, question.sources))
            return;
        if (isBars) { // Whichever is known of it then.
            const LaneSources* sources = m_rows[row].sources.get();
            question.tile.look = m_looks.of(*timeline, track, sources);
            question.sampledLook = m_looks.of(*timeline, track, sources, true);
        }
        widen(question);
        asked.push_back({m_rows[row].lane(), std::move(question)});
    };
    for (int row = first; row < last; ++row) {
        ask(row, m_rows[row].lane(), true);
        ask(row, m_rows[row].line.track, false);
        if (!m_rows[row].hasShare || !m_rows[row].ref.isValid())
            continue;
        if (m_rows[row].sources)
            std::ranges::transform(*m_rows[row].sources, std::back_inserter(meters), &LaneSource::track);
        else
            meters.push_back(m_rows[row].ref);
    }
    for (int row = std::max(0, first - RowMargin); row < std::min(m_rows.count(), last + RowMargin); ++row) {
        if (row < first || row >= last)
            ask(row, m_rows[row].lane(), true);
    }
    forgetLanes(first, last);
    updateShownTraces(first, last);
    m_lanesJob.post([this, timeline, asked = std::move(asked), meters = std::move(meters), scale, version = m_version,
                     links = axis().showsArrows() ? shownLinks() : LinkIds()](std::stop_token stop) -> LatestJob::Delivery {
        auto since = std::chrono::steady_clock::now();
        std::vector<FoundLane> found;
        for (const Asked& it : asked) {
            if (stop.stop_requested())
                return {};
            found.push_back({it.question.track, it.row, fetchLane(*timeline, it.question, stop)});
            if (std::chrono::steady_clock::now() - since > Batch) {
                m_lanesJob.deliver(stop, [this, part = std::exchange(found, {})] { receiveLanes(part); });
                since = std::chrono::steady_clock::now();
            }
        }
        if (stop.stop_requested())
            return {};
        m_lanesJob.deliver(stop, [this, part = std::move(found)] { receiveLanes(part); });
        std::uint64_t total = 0;
        std::vector<Arrow> linked;
        if (!links.empty())
            linked = arrows(*timeline, links, scale.window(), MostArrows, &total, stop);
        auto lost = losses(*timeline, scale.window());
        auto shares = busyShares(*timeline, meters, scale.window(), stop);
        if (stop.stop_requested())
            return {};
        return [this, linked = std::move(linked), total, lost = std::move(lost), shares = std::move(shares)] {
            m_arrows = linked;
            m_hasAllArrows = linked.size() >= total;
            m_arrowTotal = total;
            refreshArrows();
            if (std::exchange(m_losses, lost) != lost)
                refreshBars();
            for (const auto& [track, share] : shares)
                m_shares[track] = share;
            refreshLabels();
            requestRowArrows();
            if (m_asksAgain)
                requestLanes();
        };
    });
}

void TimeGraph::updateShownTraces(int first, int last)
{
    std::vector<std::uint32_t> traces;
    for (int row = first; row < last; ++row)
        if (const GraphRow& it = m_rows[row]; it.lane().isValid() && std::ranges::find(traces, it.trace) == traces.end())
            traces.push_back(it.trace);
    if (std::exchange(m_shownTraces, std::move(traces)) != m_shownTraces)
        emit shownTracesChanged();
}

void TimeGraph::receiveLanes(const std::vector<FoundLane>& lanes)
{
    for (const auto& [track, row, lane] : lanes) {
        m_lanes[track] = lane;
        const int shown = m_rows.findLane(row);
        if (shown >= 0 && m_rows[shown].line.track == track)
            m_lineScales.add(m_rows[shown].line.kind, *lane);
        refreshRow(shown);
    }
}

/// Those out of view, once they are many.
void TimeGraph::forgetLanes(int first, int last)
{
    if (m_lanes.size() < MostLanes + 3 * std::size_t(last - first))
        return;
    std::unordered_set<TrackRef, TrackRefHash> near;
    for (int row = std::max(0, first - 2 * RowMargin); row < std::min(m_rows.count(), last + 2 * RowMargin); ++row) {
        near.insert(m_rows[row].lane());
        near.insert(m_rows[row].line.track);
    }
    std::erase_if(m_lanes, [&](const auto& it) { return !near.contains(it.first); });
}

namespace {

/// The links of one row in a window, over all of it: one in each `step` where they are too many to be distinguished; at most `limit`,
/// where that is not 0.
void appendLinks(const Timeline& timeline, TrackRef track, TimeRange window, Duration step, const LinkIds& ids, std::size_t limit,
                 std::vector<Arrow>& out, const std::stop_token& stop)
{
    Timestamp at = window.begin;
    const std::size_t before = out.size();
    while (!ids.empty() && !stop.stop_requested() && (limit == 0 || out.size() - before < limit)) {
        const auto next = nextArrow(timeline, track, at, ids);
        const Timestamp reached = next.empty() ? window.end : std::max(next[0].fromTime, next[0].toTime);
        if (next.empty() || reached <= at || std::min(next[0].fromTime, next[0].toTime) > window.end)
            break;
        if (std::ranges::find(out, next[0]) == out.end())
            out.push_back(next[0]);
        at = std::max(reached, at + step);
    }
}

} // namespace

/// Where a window holds too many links to have them all, those of the selected and hovered row are asked for by themselves, and those of the
/// selected state one by one.
void TimeGraph::requestRowArrows()
{
    const auto timeline = axis().timeline();
    if (!timeline || m_hasAllArrows || !axis().showsArrows()) {
        m_arrowsJob.cancel();
        m_rowArrows.clear();
        return;
    }
    std::vector<TrackRef> tracks{axis().window().row()};
    if (m_hoveredRow >= 0 && m_hoveredRow < m_rows.count())
        tracks.push_back(m_rows[m_hoveredRow].ref);
    const ArrowPlace place = arrowPlace();
    const Duration step = std::max(place.scale.durationOf(LeastArrowGap), Duration(1));
    m_arrowsJob.post([this, timeline, tracks = std::move(tracks), window = axis().window().visible(), state = place.selectedState,
                      most = std::size_t(place.limit()) + 1, step, kinds = shownLinks()](std::stop_token stop) -> LatestJob::Delivery {
        std::vector<Arrow> found;
        if (!state.isEmpty() && tracks[0].isValid()) {
            const Duration now(1);
            appendLinks(*timeline, tracks[0], {state.begin - now, state.begin}, now, kinds, most, found, stop);
            appendLinks(*timeline, tracks[0], state, now, kinds, most, found, stop);
            appendLinks(*timeline, tracks[0], {state.end - now, state.end}, now, kinds, most, found, stop);
        }
        for (const TrackRef track : tracks) {
            if (track.isValid())
                appendLinks(*timeline, track, window, step, kinds, 0, found, stop);
        }
        return [this, found = std::move(found)] {
            m_rowArrows = found;
            refreshArrows();
        };
    });
}

void TimeGraph::forgetState()
{
    refreshState();
    m_marked.reset();
}

void TimeGraph::refreshState()
{
    const int row = m_marked ? m_rows.find(m_markedTrack) : -1;
    if (row < 0)
        return;
    refreshRow(row);
    refreshRow(row - 1);
}

void TimeGraph::requestState()
{
    const auto timeline = axis().timeline();
    const TrackRef track = axis().window().row();
    if (!timeline || m_rows.find(track) < 0) {
        m_stateJob.cancel();
        forgetState();
        return;
    }
    m_stateJob.post([this, timeline, track, at = axis().window().cursor()](std::stop_token) -> LatestJob::Delivery {
        std::optional<MarkedState> marked;
        if (const auto found = intervalAt(*timeline, track, at); !found.empty()) {
            const QString value = shortValue(valueText(*timeline, track, found[0].value));
            marked = MarkedState{-1, found[0],
                                 (value.isEmpty() ? QString() : value + QStringLiteral("   ")) + durationText(found[0].range.duration())};
        }
        return [this, track, marked] {
            refreshState();
            m_marked = marked;
            m_markedTrack = track;
            refreshState();
            refreshArrows();
            requestRowArrows();
        };
    });
}

void TimeGraph::requestTip()
{
    const int row = m_hoveredRow;
    const QPoint at = hoveredAt();
    const auto timeline = axis().timeline();
    if (!timeline || row < 0 || row >= m_rows.count() || !m_rows[row].lane().isValid() || !underMouse() || isInLabels(at))
        return;
    const auto place = [this, row]() -> std::optional<TipPlace> {
        if (row != m_hoveredRow || isDragging())
            return std::nullopt;
        const int top = m_rows.top(row) - m_scroll->value();
        return TipPlace{hoveredAt(), top, top + m_rows.metrics(row).height};
    };
    TipQuestion question = tipQuestion(row, at);
    if (const ArrowLine* line = m_arrowLayout.lineAt(at - timeArea().topLeft(), ArrowReach))
        tips().ask(arrowTip(std::move(question), line->arrow), place);
    else
        tips().ask(stateTip(std::move(question)), place);
}

TipQuestion TimeGraph::tipQuestion(int row, QPoint at) const
{
    const GraphRow& it = m_rows[row];
    TipQuestion question{axis().timeline(),
                         it.lane(),
                         it.name + (it.id.isEmpty() ? QString() : QLatin1Char(' ') + it.id),
                         timeAt(at),
                         {},
                         {},
                         axis().format(),
                         axis().digits(width()),
                         theme(),
                         it.sources};
    if (const auto lane = m_lanes.find(it.lane()); lane != m_lanes.end()) {
        question.column = foldedAt(*lane->second, question.at);
        if (!lane->second->samples.empty())
            question.ticks = ticksAt(at, lane->second->samplePeriod);
    }
    return question;
}

/// The samples meant by a point: those there, or the one whose period it lies in.
TimeRange TimeGraph::ticksAt(QPoint at, Duration period) const
{
    const TimeRange near{timeAt(at - QPoint(TickReach, 0)), timeAt(at + QPoint(TickReach + 1, 0))};
    return period > near.duration() ? TimeRange{timeAt(at), timeAt(at) + period} : near;
}

} // namespace helio
