#include "widgets/timegraph/time_graph.h"

#include "core/query/facts.h"
#include "widgets/paint/paint_cost.h"
#include "widgets/paint/text.h"
#include "widgets/theme/themes.h"
#include "widgets/timegraph/arrow_painter.h"

#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>

namespace helio {

namespace {

constexpr int ScrollWidth = 10;
constexpr int TipDelay = 350; ///< ms

} // namespace

TimeGraph::TimeGraph(TimeAxis& axis, std::string view, QWidget* parent)
    : QWidget(parent)
    , m_axis(axis)
    , m_view(std::move(view))
    , m_looks(theme())
    , m_drag(axis)
    , m_scroll(new QScrollBar(Qt::Vertical, this))
    , m_tip(new StateTip(this))
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    m_scroll->setSingleStep(20);
    m_scroll->setCursor(Qt::ArrowCursor);
    m_tipTimer.setSingleShot(true);
    m_tipTimer.setInterval(TipDelay);
    connect(&m_tipTimer, &QTimer::timeout, this, &TimeGraph::requestTip);
    connect(m_scroll, &QScrollBar::valueChanged, this, [this] {
        hideTip();
        refresh();
        requestLanes();
    });
    connectAxis();
}

TimeGraph::~TimeGraph() { delete m_tip; }

void TimeGraph::hideTip()
{
    m_tipJob.cancel();
    if (m_tip)
        m_tip->hide();
}

void TimeGraph::connectAxis()
{
    TimeWindow& window = m_axis.window();
    const auto windowChanged = [this] {
        refresh();
        requestLanes();
    };
    connect(&window, &TimeWindow::visibleChanged, this, [this] {
        hideTip(); // It spoke of what was there.
        refreshBars();
        requestLanes();
    });
    connect(&m_axis, &TimeAxis::labelWidthChanged, this, windowChanged);
    connect(&m_axis, &TimeAxis::formatChanged, this, &TimeGraph::refreshBars);
    connect(&m_axis, &TimeAxis::arrowsChanged, this, windowChanged);
    connect(&m_axis, &TimeAxis::timelineChanged, this, &TimeGraph::onTimelineChanged);
    connect(&m_axis, &TimeAxis::densityChanged, this, &TimeGraph::changeRows);
    connect(&m_axis, &TimeAxis::rangeShownChanged, this, &TimeGraph::refreshBars);
    connect(&m_axis.bookmarks(), &Bookmarks::changed, this, &TimeGraph::updateMarks);
    connect(&window, &TimeWindow::selectionChanged, this, &TimeGraph::refreshBars);
    connect(&window, &TimeWindow::hoveredChanged, this, &TimeGraph::updateMarks);
    connect(&window, &TimeWindow::cursorChanged, this, [this] {
        updateMarks();
        requestState();
    });
    connect(&window, &TimeWindow::rowChanged, this, [this] {
        m_followed.clear();
        refresh();
        requestState();
        requestRowArrows();
    });
    connect(&Themes::instance(), &Themes::changed, this, &TimeGraph::onThemeChanged);
}

void TimeGraph::onThemeChanged()
{
    const QString focus = m_looks.focus();
    m_looks = LaneLooks(theme());
    m_looks.setFocus(focus);
    refresh();
}

void TimeGraph::onTimelineChanged()
{
    ++m_version;
    // Tracks keep their numbers from one published timeline to the next, but not from one experiment to another.
    const auto begin = m_axis.timeline() ? std::optional(rangeOf(*m_axis.timeline()).begin) : std::nullopt;
    if (begin != m_experimentBegin) {
        m_lanes.clear();
        m_shares.clear();
        m_arrows.clear();
        m_rowArrows.clear();
        m_losses.clear();
        m_marked.reset();
        m_frequencyMax = 0;
    }
    m_experimentBegin = begin;
    refresh();
    requestLanes();
    requestState();
}

void TimeGraph::setRows(std::vector<GraphRow> rows)
{
    m_rows = GraphRows(std::move(rows), m_axis.density());
    m_hoveredRow = -1;
    changeRows();
    requestState();
}

void TimeGraph::setFocusState(const QString& legend)
{
    m_looks.setFocus(legend);
    refresh();
}

void TimeGraph::setEmptyText(const QString& what, const QString& how)
{
    m_emptyWhat = what;
    m_emptyHow = how;
    refresh();
}

void TimeGraph::changeRows()
{
    m_rows.setDensity(m_axis.density());
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

int TimeGraph::rowAt(QPoint at) const { return m_rows.at(at.y() + m_scroll->value()); }

Timestamp TimeGraph::timeAt(QPoint at) const { return m_axis.scale(width()).timeAt(at.x() - m_axis.labelWidth()); }

QRect TimeGraph::timeArea() const { return {m_axis.labelWidth(), 0, std::max(0, width() - m_axis.labelWidth()), height()}; }

void TimeGraph::refresh()
{
    m_areLabelsOld = true;
    refreshBars();
}

void TimeGraph::refreshBars()
{
    m_isPictureOld = true;
    update();
}

void TimeGraph::updateMarks()
{
    const TimeMarks now = TimeMarks::of(m_axis, width());
    update(changedColumns(m_marks, now, timeArea()));
    m_marks = now;
}

/// "Reading, 62 %": of the trace that is known least.
QString TimeGraph::readingText() const
{
    const auto timeline = m_axis.timeline();
    if (!timeline || isComplete(*timeline) || m_rows.count() == 0)
        return {};
    const TimeRange all = rangeOf(*timeline);
    const Timestamp known = std::clamp(knownUntil(*timeline, m_rows[m_rows.count() - 1].ref.trace), all.begin, all.end);
    if (all.isEmpty() || known >= all.end)
        return {};
    const int percent = int(100.0 * double((known - all.begin).count()) / double(all.duration().count()));
    return (m_axis.isStopped() ? tr("Stopped at %1 %. F5 reads again.") : tr("Reading, %1 %")).arg(percent);
}

GraphScene TimeGraph::scene() const
{
    GraphScene scene;
    scene.theme = &theme();
    scene.fonts = &fonts();
    scene.looks = &m_looks;
    scene.timeline = m_axis.timeline().get();
    scene.rows = &m_rows;
    scene.lanes = &m_lanes;
    scene.shares = &m_shares;
    scene.size = size();
    scene.labelWidth = m_axis.labelWidth();
    scene.scrollY = m_scroll->value();
    scene.pixelRatio = devicePixelRatioF();
    scene.scale = m_axis.scale(width());
    scene.ticks = &m_ticks;
    scene.selection = m_axis.shownRange();
    scene.selectedRow = selectedRow();
    scene.hoveredRow = m_hoveredRow;
    scene.frequencyMax = m_frequencyMax;
    scene.marked = m_marked;
    if (scene.marked)
        scene.marked->row = scene.selectedRow;
    scene.losses = m_losses;
    scene.reading = readingText();
    scene.isPercentBare = m_isPercentBare;
    return scene;
}

void TimeGraph::composeLabels(const GraphScene& scene)
{
    const qreal ratio = scene.pixelRatio;
    const QSize pixels = (QSizeF(scene.labelWidth, height()) * ratio).toSize();
    if (m_labels.size() != pixels)
        m_labels = QImage(pixels, QImage::Format_RGB32);
    m_labels.setDevicePixelRatio(ratio);
    QPainter painter(&m_labels);
    paintLabelColumn(painter, scene);
    m_areLabelsOld = false;
}

/// Paints everything but the time marks into m_picture.
void TimeGraph::compose()
{
    const qreal ratio = devicePixelRatioF();
    const QSize pixels = (QSizeF(size()) * ratio).toSize();
    if (m_picture.size() != pixels)
        m_picture = QImage(pixels, QImage::Format_RGB32);
    m_picture.setDevicePixelRatio(ratio);
    m_ticks = ticksFor(m_axis.scale(width()), m_axis.format());
    const GraphScene scene = this->scene();
    renderBars(scene, m_bars);
    QPainter painter(&m_picture);
    paintTimeArea(painter, scene, m_bars);
    if (m_areLabelsOld || m_labels.devicePixelRatio() != ratio || m_labels.height() != pixels.height())
        composeLabels(scene);
    painter.drawImage(0, 0, m_labels);
    if (m_axis.showsArrows() && scene.scale.isValid()) {
        ArrowPlace place{scene.scale,         height(),     m_scroll->value(), scene.selectedRow, m_hoveredRow,
                         m_axis.showsSched(), m_arrowTotal, m_hasAllArrows};
        place.followed = m_followed.empty() ? nullptr : &m_followed[0];
        paintArrows(painter, layOutArrows(m_arrows, m_rows, place), timeArea(), theme());
        if (!m_hasAllArrows)
            paintArrows(painter, layOutArrows(m_rowArrows, m_rows, place), timeArea(), theme());
    }
    if (m_rows.count() == 0 && !m_emptyWhat.isEmpty()) {
        painter.setFont(fonts().body());
        painter.setPen(theme().color("text.secondary"));
        painter.drawText(timeArea(), Qt::AlignCenter | Qt::TextWordWrap, m_emptyWhat + QLatin1Char('\n') + m_emptyHow);
    }
    m_isPictureOld = false;
}

void TimeGraph::paintEvent(QPaintEvent* event)
{
    const PaintStopwatch watch(PaintCost::instance().graphs);
    if (m_isPictureOld || m_picture.devicePixelRatio() != devicePixelRatioF()
        || m_picture.size() != (QSizeF(size()) * devicePixelRatioF()).toSize())
        compose();
    QPainter painter(this);
    painter.setClipRegion(event->region());
    painter.drawImage(0, 0, m_picture);
    m_marks = TimeMarks::of(m_axis, width());
    paintTimeMarks(painter, m_marks, timeArea(), theme());
    if (hasFocus() && m_showsFocus) {
        painter.setPen(QPen(theme().color("accent.line"), 2));
        painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
    }
}

void TimeGraph::resizeEvent(QResizeEvent*)
{
    updateScrollBar();
    refresh();
    requestLanes();
}

} // namespace helio
