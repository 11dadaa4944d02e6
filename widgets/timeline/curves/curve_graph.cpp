#include "widgets/timeline/curves/curve_graph.h"

#include "core/query/rows/facts.h"
#include "widgets/theme/themes.h"
#include "widgets/time/qt_text.h"

#include <QPaintEvent>
#include <QPainter>

#include <algorithm>

namespace helio {

namespace {

constexpr int LeastHeight = 110; ///< Curves can be read from this height on.
constexpr int MostNames = 12; ///< Further names are reached by scrolling.

} // namespace

CurveGraph::CurveGraph(TimeAxis& axis, QWidget* parent)
    : TimeBody(axis, parent)
{
    connectAxis();
}

void CurveGraph::connectAxis()
{
    TimeWindow& window = axis().window();
    const auto windowChanged = [this] {
        tips().hide(); // The tooltip describes what was there.
        refresh();
        requestColumns();
    };
    connect(&window, &TimeWindow::visibleChanged, this, windowChanged);
    connect(&axis(), &TimeAxis::labelWidthChanged, this, windowChanged);
    connect(&axis(), &TimeAxis::timelineChanged, this, &CurveGraph::onTimelineChanged);
    for (const auto signal : {&TimeAxis::formatChanged, &TimeAxis::rangeShownChanged})
        connect(&axis(), signal, this, &CurveGraph::refresh);
    connect(&axis().bookmarks(), &Bookmarks::changed, this, &CurveGraph::updateMarks);
    connect(&window, &TimeWindow::selectionChanged, this, &CurveGraph::refresh);
    connect(&window, &TimeWindow::rowChanged, this, [this] {
        refreshLabels();
        update(timeArea()); // The reference host of the time marks may have changed.
    });
    for (const auto signal : {&TimeWindow::hoveredChanged, &TimeWindow::cursorChanged})
        connect(&window, signal, this, [this] {
            updateMarks();
            requestValues();
        });
    connect(&axis(), &TimeAxis::hoveredHostChanged, this, [this] { update(timeArea()); });
    connect(&Themes::instance(), &Themes::changed, this, &CurveGraph::refresh);
}

/// All shown curves lie in one area, whose error bound is that of the host with the largest one.
MarkBands CurveGraph::bandsOf(const TimeMarks& marks) const
{
    const auto timeline = axis().timeline();
    if (!timeline)
        return {};
    HostArea area{timeArea(), {}};
    for (std::size_t i = 0; i < m_series.size(); ++i)
        if (const std::uint32_t host = hostOf(*timeline, m_series[i].series.trace);
            isShown(int(i)) && std::ranges::find(area.hosts, host) == area.hosts.end())
            area.hosts.push_back(host);
    return {*timeline, clockHost(axis()), marks, timeArea(), axis().scale(width()), std::span(&area, 1)};
}

void CurveGraph::onTimelineChanged()
{
    ++m_version;
    // Series keep their numbers between timelines of one experiment, but not between experiments. Between two experiments, the timeline is
    // nullptr.
    if (!axis().timeline()) {
        m_columnsJob.cancel();
        m_known.clear();
        m_points.clear();
        m_values = {};
        m_fullRanges.clear();
    }
    refresh();
    // Pending requests are completed first: otherwise no request would ever be completed while new timelines arrive quickly.
    m_asksAgain = m_columnsJob.isBusy();
    m_asksWholeAgain = m_wholeJob.isBusy();
    m_asksValuesAgain = m_valuesJob.isBusy();
    if (!m_asksAgain)
        requestColumns();
    if (!m_asksWholeAgain)
        requestFullRanges();
    if (!m_asksValuesAgain)
        requestValues();
}

QString CurveGraph::keyOf(const ViewSeries& series)
{
    return QStringLiteral("%1:%2").arg(series.trace).arg(QString::fromStdString(series.id));
}

void CurveGraph::setSeries(std::vector<NamedSeries> series)
{
    tips().hide();
    m_series = std::move(series);
    m_hoveredName = -1;
    m_scrollY = 0;
    onShownChanged();
}

void CurveGraph::setHidden(std::set<QString> keys)
{
    if (m_hidden == keys)
        return;
    m_hidden = std::move(keys);
    onShownChanged();
    emit hiddenChanged();
}

void CurveGraph::setShown(int line, bool isShown)
{
    std::set<QString> keys = m_hidden;
    const QString key = keyOf(m_series[std::size_t(line)].series);
    isShown ? void(keys.erase(key)) : void(keys.insert(key));
    setHidden(std::move(keys));
}

void CurveGraph::setOwnScales(bool hasOwn)
{
    m_hasOwnScales = hasOwn;
    onShownChanged();
}

void CurveGraph::setScaleFixed(bool isFixed)
{
    if (std::exchange(m_isScaleFixed, isFixed) == isFixed)
        return;
    m_fullRanges.clear();
    onShownChanged();
}

/// The scale depends on the shown series.
void CurveGraph::onShownChanged()
{
    m_values = {};
    m_ownScales.forget();
    refresh();
    requestColumns();
    requestFullRanges();
    requestValues();
}

void CurveGraph::setEmptyWords(EmptyMessage words)
{
    if (m_empty == words)
        return;
    m_empty = std::move(words);
    refresh();
}

int CurveGraph::naturalHeight() const
{
    return m_series.empty() ? 0 : std::max(LeastHeight, CurveScene::heightOf(std::min(int(m_series.size()), MostNames)));
}

int CurveGraph::heightOfWholeNames(int most) const
{
    constexpr int Above = 4; // Space above the first name.
    const int fit = (most - Above) / CurveScene::NameHeight;
    return fit > 0 && int(m_series.size()) > fit ? Above + fit * CurveScene::NameHeight : most;
}

void CurveGraph::refresh()
{
    m_areCurvesOld = m_areLabelsOld = true;
    update();
}

void CurveGraph::refreshLabels()
{
    m_areLabelsOld = true;
    update(0, 0, axis().labelWidth(), height());
}

Timestamp CurveGraph::valueTime() const { return axis().window().hovered().value_or(axis().window().cursor()); }

void CurveGraph::layOutLines()
{
    const TimeScale scale = deviceScale();
    m_lines.clear();
    for (std::size_t i = 0; i < m_series.size(); ++i) {
        const auto known = m_known.find(curveKey(m_series[i]));
        CurveLine& line = m_lines.emplace_back(CurveLine{m_series[i].name, {}, m_series[i].color, {}, m_series[i].host, !isShown(int(i))});
        line.isOnTop = bool(m_series[i].ratio);
        if (m_hasOwnScales || line.isOnTop)
            line.title = text(m_series[i].series.title);
        if (!line.isHidden && known != m_known.end())
            line.curve = layOutCurve(known->second.series, scale);
    }
}

bool CurveGraph::isWholeWindowKnown() const
{
    const TimeRange window = axis().window().visible();
    for (std::size_t i = 0; i < m_series.size(); ++i) {
        const auto known = m_known.find(curveKey(m_series[i]));
        const bool covers = known != m_known.end() && known->second.window.begin <= window.begin && known->second.window.end >= window.end;
        if (isShown(int(i)) && !covers)
            return false;
    }
    return true;
}

/// The scale does not shrink while values are missing, as they may be as large as those seen before.
void CurveGraph::updateScale()
{
    ValueRange values;
    std::vector<ValueRange> ranges; // Indexed by line.
    const double width = deviceScale().width();
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        ValueRange& range = ranges.emplace_back(valueRangeIn(m_lines[i].curve, width));
        if (const auto whole = m_fullRanges.find(curveKey(m_series[i])); whole != m_fullRanges.end() && !m_lines[i].isHidden)
            range.add(whole->second);
        values.add(range);
    }
    const bool hasRatios = std::ranges::any_of(m_lines, &CurveLine::isOnTop); // Ratios have scales of their own, as they are no counts.
    if ((m_hasOwnScales || hasRatios) && m_ownScales.apply(m_lines, ranges, isWholeWindowKnown(), CurveScene::stepsFor(height()))) {
        m_values = {0, 1};
        return;
    }
    if (m_values.isValid() && !values.isEmpty() && !isWholeWindowKnown())
        values.add({m_values.low, m_values.high});
    m_values = followed(m_values, values, CurveScene::stepsFor(height()));
}

/// Returns the value beside a name; for a rate or ratio that of the interval at the time.
QString CurveGraph::valueBeside(std::size_t line, const TimeScale& scale) const
{
    const ViewSeries& series = m_series[line].series;
    if (m_series[line].hasIntervalValues()) {
        const CurveSpan* piece = scale.isValid() ? curveSpanAt(m_lines[line].curve, scale.xAt(valueTime())) : nullptr;
        return piece ? shortValue(piece->value, drawnUnit(series)) : QString();
    }
    const auto point = m_points.find(series.ref);
    return point == m_points.end() ? QString() : readableValue(series, point->second.value);
}

void CurveGraph::labelLines()
{
    const TimeScale scale = deviceScale();
    const TrackRef row = axis().window().row();
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        m_lines[i].value = valueBeside(i, scale);
        if (m_lines[i].scale.isValid())
            m_lines[i].value = beside(m_lines[i].value, m_lines[i].scale, m_series[i].series);
        m_lines[i].isOfSelectedRow = row.isValid() && m_series[i].place.row == row;
    }
}

CurveScene CurveGraph::sceneNow() const
{
    CurveScene scene;
    scene.theme = &theme();
    scene.fonts = &fonts();
    scene.lines = &m_lines;
    scene.size = size();
    scene.labelWidth = axis().labelWidth();
    scene.pixelRatio = devicePixelRatioF();
    scene.scale = axis().scale(width());
    scene.ticks = &m_ticks;
    scene.values = m_values;
    scene.selection = axis().shownRange();
    scene.scrollY = m_scrollY;
    scene.hoveredName = m_hoveredName;
    std::vector<const ViewSeries*> shown;
    const auto timeline = axis().timeline();
    for (std::size_t i = 0; i < m_series.size(); ++i) {
        const Timestamp known = timeline ? knownUntil(*timeline, m_series[i]) : Timestamp::max();
        if (known != Timestamp::max())
            scene.knownUntil = std::min(scene.knownUntil.value_or(known), known);
        if (isShown(int(i)))
            shown.push_back(&m_series[i].series);
    }
    scene.unit = commonUnit(shown);
    return scene;
}

/// Paints the outdated parts of the picture.
void CurveGraph::compose()
{
    const QSize pixels = (QSizeF(size()) * devicePixelRatioF()).toSize();
    if (m_picture.size() != pixels) {
        m_picture = QImage(pixels, QImage::Format_RGB32);
        m_areCurvesOld = m_areLabelsOld = true;
    }
    if (m_picture.isNull())
        return;
    m_picture.setDevicePixelRatio(devicePixelRatioF());
    if (m_areCurvesOld) {
        m_ticks = ticksFor(axis().scale(width()), axis().format());
        layOutLines();
        updateScale();
    }
    if (m_areLabelsOld)
        labelLines();
    QPainter painter(&m_picture);
    const CurveScene scene = sceneNow();
    if (std::exchange(m_areCurvesOld, false)) {
        paintCurves(painter, scene);
        if (m_series.empty())
            m_empty.paint(painter, scene.timeArea());
    }
    if (std::exchange(m_areLabelsOld, false))
        paintCurveLabels(painter, scene);
}

void CurveGraph::paintEvent(QPaintEvent* event)
{
    compose();
    QPainter painter(this);
    painter.setClipRegion(event->region());
    painter.drawImage(QPointF(), m_picture);
    paintMarks(painter);
    paintFocus(painter);
}

void CurveGraph::resizeEvent(QResizeEvent*)
{
    tips().hide();
    m_scrollY = std::clamp(m_scrollY, 0, std::max(0, CurveScene::heightOf(int(m_series.size())) - height()));
    refresh();
    requestColumns();
}

void CurveGraph::showEvent(QShowEvent*)
{
    requestColumns();
    requestValues();
}

} // namespace helio
