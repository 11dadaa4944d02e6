#include "widgets/timeline/graph/time_graph.h"

#include "core/query/rows/facts.h"
#include "widgets/async/discard.h"
#include "widgets/paint/paint_cost.h"
#include "widgets/theme/themes.h"
#include "widgets/timeline/graph/arrows/arrow_painter.h"
#include "widgets/timeline/graph/graph_accessible.h"
#include "widgets/timeline/graph/lane_fetcher.h"
#include "widgets/timeline/graph/lanes/lane.h"
#include "widgets/timeline/graph/row_shade.h"

#include <QAccessible>
#include <QPaintEvent>
#include <QPainter>
#include <QResizeEvent>
#include <QScrollBar>

namespace helio {

namespace {

constexpr int ScrollWidth = 10;

constexpr int NearRows = 16; ///< Number of rows above and below the view whose calls are also requested: about a page of scrolling.
constexpr int TickReach = 1; ///< Maximum distance in pixels from the pointer at which it hits a tick.

std::vector<std::uint32_t> tracesOf(const GraphRows& rows, int first, int last)
{
    std::vector<std::uint32_t> traces;
    for (int row = first; row < last; ++row)
        if (rows[row].lane().isValid() && std::ranges::find(traces, rows[row].trace) == traces.end())
            traces.push_back(rows[row].trace);
    return traces;
}

/// Returns the range in which to search for samples at the pointer: `near`, or the sample period after `at` if the period is longer than
/// `near`. A sample stands for the period before it, so the sample for the time `at` is at most one period later.
TimeRange ticksMeant(Timestamp at, TimeRange near, const Lane& lane)
{
    return lane.samplePeriod > near.duration() ? TimeRange{at, at + lane.samplePeriod} : near;
}

/// Returns the indexing progress, e.g. "Reading, 62 %"; empty if indexing has completed. If the rows belong to several traces, only the
/// trace of the last row counts.
QString readingText(const TimeAxis& axis, const GraphRows& rows)
{
    const auto& timeline = axis.timeline();
    if (!timeline || isComplete(*timeline) || rows.count() == 0)
        return {};
    const TimeRange all = rangeOf(*timeline);
    const Timestamp known = std::clamp(knownUntil(*timeline, rows[rows.count() - 1].ref), all.begin, all.end);
    if (all.isEmpty() || known >= all.end)
        return {};
    const int percent = int(100.0 * double((known - all.begin).count()) / double(all.duration().count()));
    return (axis.isStopped() ? TimeGraph::tr("Stopped at %1 %. Press F5 to reload.") : TimeGraph::tr("Reading, %1 %")).arg(percent);
}

} // namespace

TimeGraph::TimeGraph(TimeAxis& axis, std::string view, QWidget* parent)
    : TimeBody(axis, parent)
    , m_view(std::move(view))
    , m_linkView(m_view)
    , m_looks(theme())
    , m_scroll(new QScrollBar(Qt::Vertical, this))
    , m_frame(*this, axis, m_rows, [this] { return arrowLayout(); })
{
    installGraphAccessible();
    m_scroll->setSingleStep(20);
    m_scroll->setAccessibleName(tr("Scroll rows"));
    m_scroll->setCursor(Qt::ArrowCursor);
    connect(m_scroll, &QScrollBar::valueChanged, this, &TimeGraph::scrollRows);
    connectAxis();
    connectFetchers();
}

void TimeGraph::connectAxis()
{
    TimeWindow& window = axis().window();
    const auto windowChanged = [this] {
        m_frame.refresh();
        requestLanes();
    };
    const auto rangeChanged = [this] {
        updateMarks();
        m_frame.refreshRange();
    };
    const auto barsChanged = [this] { m_frame.refreshBars(); };
    connect(&window, &TimeWindow::visibleChanged, this, [this] {
        tips().hide(); // The tooltip is hidden, because it describes the time that was under the pointer before.
        m_frame.refreshBars();
        requestLanes();
    });
    connect(&axis(), &TimeAxis::labelWidthChanged, this, windowChanged);
    connect(&axis(), &TimeAxis::formatChanged, this, [this] { m_frame.refreshTicks(); });
    connect(&axis(), &TimeAxis::arrowsChanged, this, windowChanged);
    connect(&axis(), &TimeAxis::timelineChanged, this, &TimeGraph::onTimelineChanged);
    connect(&axis(), &TimeAxis::densityChanged, this, &TimeGraph::changeRows);
    connect(&m_calls, &CursorCalls::changed, this, [this] { m_frame.refreshLabels(); });
    connect(&axis(), &TimeAxis::rangeShownChanged, this, rangeChanged);
    connect(&axis().hitRows(), &HitRows::changed, this, barsChanged);
    connect(&axis(), &TimeAxis::boxRowsChanged, this, [this] { m_frame.refresh(); });
    connect(&axis(), &TimeAxis::rowTimesChanged, this, barsChanged);
    connect(&axis(), &TimeAxis::lightChanged, this, barsChanged);
    connect(&axis(), &TimeAxis::findingMarksChanged, this, [this] { m_frame.refresh(); });
    connect(&axis(), &TimeAxis::hoveredHostChanged, this, [this] {
        if (m_rows.hasHosts())
            update(timeArea());
    });
    connect(&axis().bookmarks(), &Bookmarks::changed, this, &TimeGraph::updateMarks);
    connect(&window, &TimeWindow::selectionChanged, this, rangeChanged);
    connect(&window, &TimeWindow::hoveredChanged, this, &TimeGraph::updateMarks);
    connect(&window, &TimeWindow::cursorChanged, this, [this] {
        tips().hide(); // The cursor moved without the pointer, so the tooltip may describe another time.
        updateMarks();
        requestState();
        tellScreenReader();
    });
    connect(&window, &TimeWindow::rowChanged, this, [this] {
        tips().hide();
        tellScreenReader();
        if (std::exchange(m_followed, std::nullopt))
            update();
        m_mark.forget();
        m_frame.refreshLitRows(m_hoveredRow, selectedRow());
        requestState();
        requestRowArrows();
    });
    connect(&axis(), &TimeAxis::shownArrowChanged, this, qOverload<>(&QWidget::update));
    connect(&axis(), &TimeAxis::stealIntervalsChanged, this, [this] {
        m_frame.refreshArrows();
        update();
    });
    connect(&axis().hosts(), &HostGestures::targetChanged, this, qOverload<>(&QWidget::update));
    connect(&window, &TimeWindow::returned, this, [this] { m_scroll->setValue(axis().window().scrollOf(m_view)); });
    connect(&Themes::instance(), &Themes::changed, this, &TimeGraph::onThemeChanged);
}

void TimeGraph::onThemeChanged()
{
    const LaneStyles before = std::exchange(m_looks, LaneStyles(theme()));
    m_looks.setFocus(before.focus());
    m_looks.setFrames(before.frames());
    m_frame.refresh();
    requestLanes();
}

void TimeGraph::onTimelineChanged()
{
    // Cached data is only valid within one experiment, because tracks keep their numbers only there. A null timeline announces another
    // experiment.
    if (!axis().timeline()) {
        m_fetcher.clear();
        m_rowArrows.clear();
        m_mark.forget();
        m_followed.reset();
        m_calls.forget();
    }
    m_hosts = axis().timeline() ? hostHeadings(*axis().timeline()) : std::vector<HostHeading>();
    m_frame.refresh();
    requestState();
    m_fetcher.timelineChanged();
}

void TimeGraph::valuesChanged()
{
    tips().hide(); // The texts of the tooltip may be outdated.
    requestState();
    m_fetcher.timelineChanged();
}

void TimeGraph::setRows(GraphRows rows)
{
    tips().hide(); // Hides the tooltip, because another row may be under the pointer now.
    const int anchor = anchorRow(rows);
    const TrackRef kept = anchor >= 0 ? m_rows[anchor].ref : TrackRef();
    const int above = anchor >= 0 ? m_scroll->value() - m_rows.top(anchor) : 0;
    const TrackRef hovered = hoveredTrack();
    std::swap(m_rows, rows);
    discard(std::move(rows), std::size_t(rows.count()));
    m_rows.setDensity(axis().density());
    updateScrollBar();
    if (const int row = m_rows.find(kept); row >= 0)
        m_scroll->setValue(m_rows.top(row) + above);
    m_hoveredRow = m_rows.find(hovered);
    changeRows();
    requestState();
}

/// Returns the index of the row that stays in place when the rows are replaced by `others`; -1 if none.
int TimeGraph::anchorRow(const GraphRows& others) const
{
    const int top = m_rows.at(m_scroll->value());
    if (top < 0)
        return -1;
    const int bottom = m_rows.top(top) + height();
    // While traces are indexed, the hovered row and the selected row may move on the screen, so that new rows at the top are visible.
    const bool isReading = axis().timeline() && !isComplete(*axis().timeline());
    for (const int row : {m_hoveredRow, selectedRow()})
        if (!isReading && row >= top && row < m_rows.count() && m_rows.top(row) < bottom && others.find(m_rows[row].ref) >= 0)
            return row;
    int row = m_scroll->value() > 0 ? top : m_rows.count(); // At the top, no row is kept in place, so that new rows above become visible.
    while (row < m_rows.count() && others.find(m_rows[row].ref) < 0)
        ++row;
    return row < m_rows.count() ? row : -1;
}

QList<QStringList> TimeGraph::selectedRowsTexts() const
{
    QList<QStringList> all;
    for (const TrackRef row : axis().boxRows())
        if (const int index = m_rows.find(row); index >= 0)
            all << rowTexts(index);
    if (all.isEmpty() && selectedRow() >= 0)
        all << selectionTexts();
    return all;
}

QStringList TimeGraph::rowTexts(int row) const
{
    if (row < 0 || !axis().timeline())
        return {};
    const GraphRow& it = m_rows[row];
    QStringList texts{!it.place.isEmpty() ? it.place : it.id.isEmpty() ? it.name : it.name + u' ' + it.id};
    if (const auto state = stateInWords(*axis().timeline(), it.ref, axis().window().cursor(), theme()))
        texts << state->words << timeText(state->range.begin, axis().format()) << durationText(state->range.duration());
    return texts;
}

void TimeGraph::setRelatedRow(TrackRef row)
{
    if (std::exchange(m_related, row) == row)
        return;
    ensureRowVisible(m_rows.find(row));
    m_frame.refresh();
}

void TimeGraph::setFocusState(const QString& legend)
{
    m_looks.setFocus(legend);
    m_frame.refresh();
    requestLanes();
}

void TimeGraph::setLinkView(std::string view)
{
    if (std::exchange(m_linkView, view) != view)
        requestLanes();
}

void TimeGraph::setFrames(FrameChoice frames)
{
    m_looks.setFrames(std::move(frames));
    m_frame.refresh();
    requestLanes();
    requestState();
}

void TimeGraph::setEmptyText(const QString& what, const QString& how)
{
    EmptyMessage words{what, how};
    if (m_empty == words)
        return;
    m_empty = std::move(words);
    m_frame.refresh();
    emit contentHeightChanged();
}

void TimeGraph::changeRows()
{
    m_rows.setDensity(axis().density());
    updateScrollBar();
    emit contentHeightChanged();
    m_frame.refresh();
    requestLanes();
}

void TimeGraph::setScrollMargin(int pixels)
{
    if (std::exchange(m_scrollMargin, pixels) != pixels)
        updateScrollBar();
}

void TimeGraph::updateScrollBar()
{
    m_scroll->setGeometry(width() - ScrollWidth - m_scrollMargin, 0, ScrollWidth, height());
    m_scroll->setRange(0, std::max(0, m_rows.height() - height()));
    m_scroll->setPageStep(std::max(20, height()));
    m_scroll->setVisible(m_scroll->maximum() > 0);
}

void TimeGraph::ensureRowVisible(int row)
{
    if (row < 0 || row >= m_rows.count())
        return;
    const int top = m_rows.top(row);
    const int bottom = m_rows.top(row + 1);
    if (top < m_scroll->value())
        m_scroll->setValue(top);
    else if (bottom > m_scroll->value() + height())
        m_scroll->setValue(bottom - height());
}

void TimeGraph::showRow(int row, int other)
{
    if (row < 0 || row >= m_rows.count())
        return;
    const auto topOf = [&](int i) { return m_rows.top(i); };
    const auto bottomOf = [&](int i) { return m_rows.top(i + 1); };
    const auto isSeen = [&](int i) { return topOf(i) >= m_scroll->value() && bottomOf(i) <= m_scroll->value() + height(); };
    const bool isPair = other >= 0 && other < m_rows.count();
    const auto [begin, end] = m_rows.stackOf(row);
    const bool fits = topOf(end) - topOf(begin) <= height();
    // The states below a stack represent its thread, so the stack must be in view, too. If the pointer is over the strip with these states,
    // the strip stays in place instead.
    const bool needsStack = !isPair && fits && m_rows[row].drawnAs == RowShape::Strip && row != m_hoveredRow;
    if (isSeen(row) && (!isPair || isSeen(other)) && (!needsStack || (isSeen(begin) && isSeen(end - 1))))
        return;
    if (!isPair && end - begin > 1)
        return m_scroll->setValue((topOf(fits ? begin : row) + topOf(fits ? end : row + 1) - height()) / 2);
    int y = m_scroll->value();
    if (!isSeen(row))
        y = topOf(row) < y ? topOf(row) - height() / 3 : bottomOf(row) - height() * 2 / 3;
    const int first = isPair ? std::min(topOf(row), topOf(other)) : topOf(row);
    const int last = isPair ? std::max(bottomOf(row), bottomOf(other)) : bottomOf(row);
    if (isPair && last - first <= height())
        y = std::clamp(y, last - height(), first);
    m_scroll->setValue(y);
}

int TimeGraph::rowAt(QPoint at) const { return m_rows.at(at.y() + m_scroll->value()); }

/// Keeps the selected row in view, because new panels reduce the height of this one.
void TimeGraph::resizeEvent(QResizeEvent* event)
{
    const int selected = selectedRow();
    const int end = m_scroll->value() + event->oldSize().height();
    // The first resize has no old height to compare with. The row may have been scrolled into view for a height that the widget did not
    // have yet, so it is shown again.
    const bool isFirst = !event->oldSize().isValid();
    const bool wasSeen = selected >= 0 && m_rows.top(selected) >= m_scroll->value() && m_rows.top(selected + 1) <= end;
    updateScrollBar();
    if (isFirst || wasSeen)
        showRow(selected);
    m_frame.refreshBars(); // Only the bars are repainted: shaping and drawing the labels takes a quarter of the time of a resized frame.
    update();
    requestLanes();
    tips().hide(); // The tooltip's row moves away from the pointer, e.g. when a row is pinned above.
}

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
        // The state's text may overlap the row above, and the edge of its outline the row below.
        for (const int painted : {row - 1, row, row + 1})
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

/// Requests the links of the selected and of the hovered row separately, if the visible range has too many links to fetch all. Links of the
/// selected state are fetched without thinning.
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

/// Requests the calls at the cursor for the call stacks in view and near it.
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

GraphScene TimeGraph::scene() const
{
    GraphScene scene;
    scene.theme = &theme();
    scene.fonts = &fonts();
    scene.looks = &m_looks;
    scene.timeline = axis().timeline().get();
    scene.rows = &m_rows;
    scene.hosts = &m_hosts;
    scene.lanes = &m_fetcher.lanes();
    scene.shares = &m_fetcher.shares();
    scene.calls = &m_calls.calls();
    scene.size = size();
    scene.labelWidth = axis().labelWidth();
    scene.scrollY = m_scroll->value();
    scene.pixelRatio = devicePixelRatioF();
    scene.scale = axis().scale(width());
    scene.selection = axis().shownRange();
    scene.selectedRow = selectedRow();
    scene.hoveredRow = m_hoveredRow;
    for (const TrackRef row : axis().boxRows())
        if (const int index = m_rows.find(row); index >= 0)
            scene.boxRows.push_back(index);
    std::ranges::sort(scene.boxRows);
    scene.pinnableRow = m_isInLabels ? m_hoveredRow : -1;
    scene.isPinned = m_isPinned;
    scene.relatedRow = m_rows.find(m_related);
    scene.lineScales = &m_fetcher.lineScales();
    scene.marked = m_mark.state();
    if (scene.marked)
        scene.marked->row = m_rows.find(m_mark.row());
    scene.losses = m_fetcher.losses();
    m_light = axis().light(); // Keeps the highlighting alive while the scene points to it.
    scene.light = m_light.get();
    m_finding = axis().findingMarks();
    scene.finding = m_finding.get();
    if (const auto& times = axis().rowTimes())
        scene.marks.push_back({times.get(), "flame.match", {1, 3}, 0.5});
    scene.marks.push_back({&axis().hitRows().times(), "mark.hit", {2, 2}});
    scene.reading = readingText(axis(), m_rows);
    scene.isPercentBare = m_isPercentBare;
    return scene;
}

LinkIds TimeGraph::shownLinks() const
{
    return axis().timeline() ? linkKindsInView(*axis().timeline(), m_linkView, axis().showsAllLinks()) : LinkIds();
}

ArrowLayoutContext TimeGraph::arrowLayoutContext() const
{
    ArrowLayoutContext place{axis().scale(width()),   height(), m_scroll->value(), selectedRow(), m_hoveredRow, m_fetcher.arrowTotal(),
                             m_fetcher.hasAllArrows()};
    place.timeline = axis().timeline().get();
    if (m_mark.state() && m_mark.row() == axis().window().row())
        place.selectedState = m_mark.state()->interval.range;
    if (m_hoveredRow >= 0 && axis().pointedRow() == m_rows[m_hoveredRow].ref)
        place.pointedState = axis().pointedState();
    return place;
}

ArrowLayout TimeGraph::arrowLayout() const
{
    const ArrowLayoutContext place = arrowLayoutContext();
    if (!axis().showsArrows() || !place.scale.isValid())
        return {};
    ArrowLayout layout = layOutArrows(m_fetcher.hasAllArrows() ? m_fetcher.arrows() : m_rowArrows.arrows(), m_rows, place);
    addHighlightedArrows(layout, place);
    return layout;
}

/// Adds the highlighted arrows above all other arrows, which become faint.
void TimeGraph::addHighlightedArrows(ArrowLayout& layout, ArrowLayoutContext place) const
{
    const auto light = axis().light();
    if (!light || !isHighlightedBy(*light, m_rows))
        return;
    for (ArrowLine& line : layout.lines)
        line.light = ArrowLine::Light::Out;
    const auto lit = arrowsIn(*light, axis().window().visible());
    place.total = lit.size();
    place.areAll = true;
    for (ArrowLine& line : layOutArrows(lit, m_rows, place).lines) {
        line.light = ArrowLine::Light::In;
        layout.lines.push_back(std::move(line));
    }
}

void TimeGraph::scrollRows()
{
    tips().hide();
    axis().window().setScroll(m_view, m_scroll->value());
    m_frame.scrollTo(m_scroll->value(), !readingText(axis(), m_rows).isEmpty());
    requestLanes();
    requestCalls();
}

/// Paints the arrow that the user followed, and the arrow that all panels show, regardless of the number of other arrows.
void TimeGraph::paintChosenArrows(QPainter& painter) const
{
    if (!axis().scale(width()).isValid())
        return;
    for (const std::optional<Arrow>& arrow : {m_followed, axis().shownArrow()})
        if (auto line = arrow ? layOutArrow(*arrow, m_rows, arrowLayoutContext()) : std::nullopt) {
            line->isFollowed = true;
            paintArrows(painter, {{*line}, {}}, timeArea(), theme(), axis().timeline().get());
        }
}

/// Marks the intervals of culprits, which had the CPU during steal time, with a line at the lower edge of their bars, in the colour of
/// preempted vCPUs.
void TimeGraph::paintStealEdges(QPainter& painter) const
{
    constexpr double EdgeHeight = 2;
    const auto& all = axis().culpritIntervals();
    const TimeScale scale = axis().scale(width());
    if (!all || !scale.isValid())
        return;
    const QRect area = timeArea();
    const QColor color = theme().color("vm.preempted");
    for (const CulpritInterval& it : *all) {
        const int row = it.range.overlaps(scale.window()) ? m_rows.find(it.row) : -1;
        if (row < 0)
            continue;
        const double left = std::max(double(area.left()), area.left() + scale.xAt(it.range.begin));
        const double right = std::min(double(area.right() + 1), area.left() + scale.xAt(it.range.end));
        const double bottom = m_rows.top(row) - m_scroll->value() + m_rows.metrics(row).baseline();
        painter.fillRect(QRectF(left, bottom - EdgeHeight, std::max(1.0, right - left), EdgeHeight), color);
    }
}

/// Highlights the row that a dragged host's name would be dropped on.
void TimeGraph::paintTarget(QPainter& painter) const
{
    const int row = m_rows.find(axis().hosts().target());
    if (row < 0)
        return;
    const QRect rect(0, m_rows.top(row) - m_scroll->value(), width(), m_rows.metrics(row).height);
    QColor fill = theme().color("accent.fill");
    fill.setAlphaF(0.18F);
    painter.fillRect(rect, fill);
    painter.setPen(QPen(theme().color("accent.line"), 2));
    painter.drawRect(QRectF(rect).adjusted(1, 1, -1, -1));
}

QRect TimeGraph::rowArea(int row) const { return {0, m_rows.top(row) - m_scroll->value(), width(), m_rows.metrics(row).height}; }

/// Tells screen readers that the selected row, or its state at the cursor, changed.
void TimeGraph::tellScreenReader()
{
    if (!QAccessible::isActive())
        return;
    QAccessibleEvent described(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&described);
    if (const int row = selectedRow(); row >= 0 && hasFocus()) {
        QAccessibleEvent focused(this, QAccessible::Focus);
        focused.setChild(row);
        QAccessible::updateAccessibility(&focused);
    }
}

/// Outlines the box of selected rows and range.
void TimeGraph::paintBox(QPainter& painter) const
{
    if (axis().boxRows().empty())
        return;
    const QRect box = scene().boxRect();
    if (box.isEmpty())
        return;
    painter.save();
    painter.setClipRect(timeArea(), Qt::IntersectClip);
    painter.setPen(theme().color("select.outline"));
    painter.drawRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5));
    painter.restore();
}

void TimeGraph::paintEvent(QPaintEvent* event)
{
    const PaintStopwatch watch(PaintCost::instance().graphs);
    m_frame.compose([this] { return scene(); },
                    [this](QPainter& painter) {
                        if (m_rows.count() == 0)
                            m_empty.paint(painter, timeArea());
                    });
    QPainter painter(this);
    painter.setClipRegion(event->region());
    m_frame.paint(painter, event->region());
    paintStealEdges(painter);
    paintMarks(painter);
    paintBox(painter);
    paintChosenArrows(painter);
    paintTarget(painter);
    paintFocus(painter);
}

} // namespace helio
