#include "widgets/timegraph/time_graph.h"

#include "core/query/rows/facts.h"
#include "widgets/paint/paint_cost.h"
#include "widgets/paint/text.h"
#include "widgets/theme/themes.h"
#include "widgets/timegraph/arrows/arrow_painter.h"
#include "widgets/work/discard.h"

#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>

namespace helio {

namespace {

constexpr int ScrollWidth = 10;

} // namespace

TimeGraph::TimeGraph(TimeAxis& axis, std::string view, QWidget* parent)
    : TimeBody(axis, parent)
    , m_view(std::move(view))
    , m_looks(theme())
    , m_scroll(new QScrollBar(Qt::Vertical, this))
{
    m_scroll->setSingleStep(20);
    m_scroll->setCursor(Qt::ArrowCursor);
    connect(m_scroll, &QScrollBar::valueChanged, this, &TimeGraph::scrollRows);
    connectAxis();
    connectFetchers();
}

void TimeGraph::connectAxis()
{
    TimeWindow& window = axis().window();
    const auto windowChanged = [this] {
        refresh();
        requestLanes();
    };
    connect(&window, &TimeWindow::visibleChanged, this, [this] {
        tips().hide(); // It spoke of what was there.
        refreshBars();
        requestLanes();
    });
    connect(&axis(), &TimeAxis::labelWidthChanged, this, windowChanged);
    connect(&axis(), &TimeAxis::formatChanged, this, [this] {
        m_ticksScale = {};
        refreshBars();
    });
    connect(&axis(), &TimeAxis::arrowsChanged, this, windowChanged);
    connect(&axis(), &TimeAxis::timelineChanged, this, &TimeGraph::onTimelineChanged);
    connect(&axis(), &TimeAxis::densityChanged, this, &TimeGraph::changeRows);
    connect(&axis(), &TimeAxis::rangeShownChanged, this, &TimeGraph::refreshSelection);
    connect(&axis().hitRows(), &HitRows::changed, this, &TimeGraph::refreshBars);
    connect(&axis(), &TimeAxis::rowTimesChanged, this, &TimeGraph::refreshBars);
    connect(&axis().bookmarks(), &Bookmarks::changed, this, &TimeGraph::updateMarks);
    connect(&window, &TimeWindow::selectionChanged, this, &TimeGraph::refreshSelection);
    connect(&window, &TimeWindow::hoveredChanged, this, &TimeGraph::updateMarks);
    connect(&window, &TimeWindow::cursorChanged, this, [this] {
        tips().hide(); // The pointer did not move there.
        updateMarks();
        requestState();
    });
    connect(&window, &TimeWindow::rowChanged, this, [this] {
        tips().hide();
        if (std::exchange(m_followed, std::nullopt))
            update();
        m_mark.forget();
        refreshLitRows();
        requestState();
        requestRowArrows();
    });
    connect(&window, &TimeWindow::returned, this, [this] { m_scroll->setValue(axis().window().scrollOf(m_view)); });
    connect(&Themes::instance(), &Themes::changed, this, &TimeGraph::onThemeChanged);
}

void TimeGraph::onThemeChanged()
{
    const QString focus = m_looks.focus();
    m_looks = LaneLooks(theme());
    m_looks.setFocus(focus);
    refresh();
    requestLanes();
}

void TimeGraph::onTimelineChanged()
{
    // Tracks keep their numbers from one published timeline to the next, but not from one experiment to another: none comes between them.
    if (!axis().timeline()) {
        m_fetcher.clear();
        m_rowArrows.clear();
        m_mark.forget();
        m_followed.reset();
    }
    refresh();
    requestState();
    m_fetcher.timelineChanged();
}

void TimeGraph::setRows(GraphRows rows)
{
    tips().hide(); // It spoke of a row that another may have taken the place of.
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

/// The row of those shown now that should stay where it is; -1: none.
int TimeGraph::anchorRow(const GraphRows& others) const
{
    const int top = m_rows.at(m_scroll->value());
    if (top < 0)
        return -1;
    const int bottom = m_rows.top(top) + height();
    const bool isReading = axis().timeline() && !isComplete(*axis().timeline()); // Then what is at the top is to be seen.
    for (const int row : {m_hoveredRow, selectedRow()})
        if (!isReading && row >= top && row < m_rows.count() && m_rows.top(row) < bottom && others.find(m_rows[row].ref) >= 0)
            return row;
    int row = m_scroll->value() > 0 ? top : m_rows.count(); // What comes above the first row is to be seen.
    while (row < m_rows.count() && others.find(m_rows[row].ref) < 0)
        ++row;
    return row < m_rows.count() ? row : -1;
}

void TimeGraph::setRelatedRow(TrackRef row)
{
    if (std::exchange(m_related, row) == row)
        return;
    ensureRowVisible(m_rows.find(row));
    refresh();
}

void TimeGraph::setFocusState(const QString& legend)
{
    m_looks.setFocus(legend);
    refresh();
    requestLanes();
}

void TimeGraph::setEmptyText(const QString& what, const QString& how)
{
    EmptyWords words{what, how};
    if (m_empty == words)
        return;
    m_empty = std::move(words);
    refresh();
    emit contentHeightChanged();
}

void TimeGraph::changeRows()
{
    m_rows.setDensity(axis().density());
    updateScrollBar();
    emit contentHeightChanged();
    refresh();
    requestLanes();
}

void TimeGraph::updateScrollBar()
{
    m_scroll->setGeometry(width() - ScrollWidth, 0, ScrollWidth, height());
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
    if (isSeen(row) && (!isPair || isSeen(other)))
        return;
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

void TimeGraph::refresh()
{
    m_areArrowsOld = true;
    m_picture.markOld(rect());
    update();
}

void TimeGraph::refreshBars()
{
    m_areArrowsOld = true;
    m_picture.markOld(timeArea());
    update(timeArea());
}

void TimeGraph::refreshLabels()
{
    const QRect labels(0, 0, axis().labelWidth(), height());
    m_picture.markOld(labels);
    update(labels);
}

void TimeGraph::refreshRow(int row)
{
    if (row < 0 || row >= m_rows.count())
        return;
    const QRect strip(0, m_rows.top(row) - m_scroll->value(), width(), m_rows.metrics(row).height);
    m_picture.markOld(strip);
    update(strip);
}

void TimeGraph::refreshLitRows()
{
    for (const int row : {m_litRow, m_chosenRow, m_hoveredRow, selectedRow()})
        refreshRow(row);
    refreshArrows();
}

/// Light and shade change between the old edges and the new ones.
void TimeGraph::refreshSelection()
{
    updateMarks();
    const TimeRange before = m_shownRange;
    const TimeRange now = axis().shownRange();
    const TimeScale scale = axis().scale(width());
    if (before.isEmpty() || now.isEmpty() || !scale.isValid())
        return refreshBars();
    for (const auto& [a, b] : {std::pair(before.begin, now.begin), std::pair(before.end, now.end)}) {
        const auto x = [&](Timestamp t) { return int(std::clamp(scale.xAt(t), -4.0, scale.width() + 4)); };
        const QRect columns(axis().labelWidth() + x(std::min(a, b)) - 2, 0, x(std::max(a, b)) - x(std::min(a, b)) + 5, height());
        m_picture.markOld(columns & timeArea());
        update(columns & timeArea());
    }
}

void TimeGraph::scrollRows()
{
    tips().hide();
    axis().window().setScroll(m_view, m_scroll->value());
    const int dy = m_scroll->value() - m_scrolled;
    m_scrolled = m_scroll->value();
    // What is written once for all rows, and arrows that fade at the edge, stay where they are.
    if (m_areArrowsOld || !m_arrowLayout.lines.empty() || !readingText().isEmpty()) {
        refresh();
    } else {
        m_picture.scroll(dy);
        m_arrowLayout = arrowLayout();
        if (!m_arrowLayout.lines.empty())
            refreshBars();
        update();
    }
    requestLanes();
}

/// "Reading, 62 %": of the trace that is known least.
QString TimeGraph::readingText() const
{
    const auto timeline = axis().timeline();
    if (!timeline || isComplete(*timeline) || m_rows.count() == 0)
        return {};
    const TimeRange all = rangeOf(*timeline);
    const Timestamp known = std::clamp(knownUntil(*timeline, m_rows[m_rows.count() - 1].ref), all.begin, all.end);
    if (all.isEmpty() || known >= all.end)
        return {};
    const int percent = int(100.0 * double((known - all.begin).count()) / double(all.duration().count()));
    return (axis().isStopped() ? tr("Stopped at %1 %. F5 reads again.") : tr("Reading, %1 %")).arg(percent);
}

GraphScene TimeGraph::scene() const
{
    GraphScene scene;
    scene.theme = &theme();
    scene.fonts = &fonts();
    scene.looks = &m_looks;
    scene.timeline = axis().timeline().get();
    scene.rows = &m_rows;
    scene.lanes = &m_fetcher.lanes();
    scene.shares = &m_fetcher.shares();
    scene.size = size();
    scene.labelWidth = axis().labelWidth();
    scene.scrollY = m_scroll->value();
    scene.pixelRatio = devicePixelRatioF();
    scene.scale = axis().scale(width());
    scene.ticks = &m_ticks;
    scene.selection = axis().shownRange();
    scene.selectedRow = selectedRow();
    scene.hoveredRow = m_hoveredRow;
    scene.relatedRow = m_rows.find(m_related);
    scene.lineScales = &m_fetcher.lineScales();
    scene.marked = m_mark.state();
    if (scene.marked)
        scene.marked->row = m_rows.find(m_mark.row());
    scene.losses = m_fetcher.losses();
    if (const auto& times = axis().rowTimes())
        scene.marks.push_back({times.get(), "flame.match", {1, 3}, 0.5});
    scene.marks.push_back({&axis().hitRows().times(), "mark.hit", {2, 2}});
    scene.reading = readingText();
    scene.isPercentBare = m_isPercentBare;
    return scene;
}

LinkIds TimeGraph::shownLinks() const
{
    return axis().timeline() ? linksIn(*axis().timeline(), m_view, axis().showsAllLinks()) : LinkIds();
}

ArrowPlace TimeGraph::arrowPlace() const
{
    ArrowPlace place{axis().scale(width()),   height(), m_scroll->value(), selectedRow(), m_hoveredRow, m_fetcher.arrowTotal(),
                     m_fetcher.hasAllArrows()};
    if (m_mark.state() && m_mark.row() == axis().window().row())
        place.selectedState = m_mark.state()->interval.range;
    return place;
}

ArrowLayout TimeGraph::arrowLayout() const
{
    const ArrowPlace place = arrowPlace();
    if (!axis().showsArrows() || !place.scale.isValid())
        return {};
    return layOutArrows(m_fetcher.hasAllArrows() ? m_fetcher.arrows() : m_rowArrows.arrows(), m_rows, place);
}

void TimeGraph::refreshArrows()
{
    if (!m_areArrowsOld && !(arrowLayout() == m_arrowLayout))
        refreshBars();
}

/// Over the bars: arrows, or why there are no rows.
void TimeGraph::paintOver(QPainter& painter, const GraphScene& scene) const
{
    paintArrows(painter, m_arrowLayout, scene.timeArea(), theme(), scene.timeline);
    if (m_rows.count() == 0)
        m_empty.paint(painter, timeArea());
}

/// Paints what changed of everything but the time marks.
void TimeGraph::compose()
{
    m_picture.resize(size(), devicePixelRatioF());
    if (!m_picture.isOld())
        return;
    if (const TimeScale scale = axis().scale(width()); scale != m_ticksScale) {
        m_ticks = ticksFor(scale, axis().format());
        m_ticksScale = scale;
    }
    if (std::exchange(m_areArrowsOld, false))
        m_arrowLayout = arrowLayout();
    m_picture.compose(scene(), [this](QPainter& painter, const GraphScene& scene) { paintOver(painter, scene); });
    m_litRow = m_hoveredRow;
    m_chosenRow = selectedRow();
    m_shownRange = axis().shownRange();
    m_scrolled = m_scroll->value();
}

void TimeGraph::paintEvent(QPaintEvent* event)
{
    const PaintStopwatch watch(PaintCost::instance().graphs);
    compose();
    QPainter painter(this);
    painter.setClipRegion(event->region());
    for (const QRect& part : event->region())
        m_picture.paint(painter, part);
    paintMarks(painter);
    if (m_followed && axis().scale(width()).isValid())
        if (auto line = layOutArrow(*m_followed, m_rows, arrowPlace())) {
            line->isFollowed = true;
            paintArrows(painter, {{*line}, {}}, timeArea(), theme(), axis().timeline().get());
        }
    paintFocus(painter);
}

void TimeGraph::resizeEvent(QResizeEvent*)
{
    updateScrollBar();
    refreshBars(); // The labels stay as they are: shaping and drawing their texts is a quarter of a resized frame.
    update();
    requestLanes();
    tips().hide(); // As when a row is pinned: what it spoke of moves from under it.
}

void TimeGraph::showEvent(QShowEvent*) { requestLanes(); }

} // namespace helio
