#include "widgets/timeline/graph/time_graph.h"

#include "core/query/rows/facts.h"
#include "widgets/async/discard.h"
#include "widgets/theme/themes.h"

#include <QResizeEvent>
#include <QScrollBar>

namespace helio {

namespace {

constexpr int ScrollWidth = 10;

} // namespace

TimeGraph::TimeGraph(TimeAxis& axis, std::string view, QWidget* parent)
    : TimeBody(axis, parent)
    , m_view(std::move(view))
    , m_linkView(m_view)
    , m_looks(theme())
    , m_scroll(new QScrollBar(Qt::Vertical, this))
    , m_frame(*this, axis, m_rows, [this] { return arrowLayout(); })
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
        m_frame.refresh();
        requestLanes();
    };
    const auto rangeChanged = [this] {
        updateMarks();
        m_frame.refreshRange();
    };
    const auto barsChanged = [this] { m_frame.refreshBars(); };
    connect(&window, &TimeWindow::visibleChanged, this, [this] {
        tips().hide(); // The tooltip describes what was there.
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
    connect(&axis(), &TimeAxis::rowTimesChanged, this, barsChanged);
    connect(&axis(), &TimeAxis::lightChanged, this, barsChanged);
    connect(&axis(), &TimeAxis::hoveredHostChanged, this, [this] {
        if (m_rows.hasHosts())
            update(timeArea());
    });
    connect(&axis().bookmarks(), &Bookmarks::changed, this, &TimeGraph::updateMarks);
    connect(&window, &TimeWindow::selectionChanged, this, rangeChanged);
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
    // Tracks keep their numbers between timelines of one experiment, but not between experiments. Between two experiments, the timeline is
    // nullptr.
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
    tips().hide(); // Its texts may be outdated.
    requestState();
    m_fetcher.timelineChanged();
}

void TimeGraph::setRows(GraphRows rows)
{
    tips().hide(); // Another row may be under the pointer now.
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

/// Returns the current row that should stay in place; -1 if there is none.
int TimeGraph::anchorRow(const GraphRows& others) const
{
    const int top = m_rows.at(m_scroll->value());
    if (top < 0)
        return -1;
    const int bottom = m_rows.top(top) + height();
    // While traces are indexed, new rows at the top shall be seen.
    const bool isReading = axis().timeline() && !isComplete(*axis().timeline());
    for (const int row : {m_hoveredRow, selectedRow()})
        if (!isReading && row >= top && row < m_rows.count() && m_rows.top(row) < bottom && others.find(m_rows[row].ref) >= 0)
            return row;
    int row = m_scroll->value() > 0 ? top : m_rows.count(); // New rows above the first one shall be seen.
    while (row < m_rows.count() && others.find(m_rows[row].ref) < 0)
        ++row;
    return row < m_rows.count() ? row : -1;
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
    if (isSeen(row) && (!isPair || isSeen(other)))
        return;
    if (const auto [begin, end] = m_rows.stackOf(row); !isPair && end - begin > 1) {
        const bool fits = topOf(end) - topOf(begin) <= height();
        return m_scroll->setValue((topOf(fits ? begin : row) + topOf(fits ? end : row + 1) - height()) / 2);
    }
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

/// New panels take height from this one: the selected row shall stay in view.
void TimeGraph::resizeEvent(QResizeEvent* event)
{
    const int selected = selectedRow();
    const int end = m_scroll->value() + event->oldSize().height();
    const bool isFirst = !event->oldSize().isValid(); // The row was brought into view with a height that the widget never had.
    const bool wasSeen = selected >= 0 && m_rows.top(selected) >= m_scroll->value() && m_rows.top(selected + 1) <= end;
    updateScrollBar();
    if (isFirst || wasSeen)
        showRow(selected);
    m_frame.refreshBars(); // The labels stay as they are: shaping and drawing their texts is a quarter of the time of a resized frame.
    update();
    requestLanes();
    tips().hide(); // The described row moves away from the pointer, e.g. when a row is pinned.
}

} // namespace helio
