#include "widgets/timeline/curves/curve_graph.h"

#include "core/query/rows/facts.h"
#include "widgets/theme/themes.h"
#include "widgets/time/qt_text.h"
#include "widgets/timeline/curves/ratio_tip.h"

#include <QPaintEvent>
#include <QPainter>

#include <algorithm>
#include <chrono>

namespace helio {

namespace {

constexpr int LeastHeight = 110; ///< Minimum height in pixels at which curves are readable.
constexpr int MostNames = 12; ///< Maximum number of names in the natural height; the user scrolls to further names.

constexpr auto Batch = std::chrono::milliseconds(12);
constexpr int WholeColumns = 1000; ///< Number of columns in which the whole recording is read, to find its range of values.

/// Returns the window extended by a quarter at both sides, so that a short pan needs no query.
TimeRange widened(TimeRange window)
{
    const Duration margin = window.duration() / 4;
    return {window.begin - margin, window.end + margin};
}

QString tr(const char* text) { return CurveGraph::tr(text); }

/// Returns the tooltip of a series at a moment, with the range of values in the pixel around it; nullopt if the series has no value.
std::optional<TipContent> tipFor(const Timeline& timeline, const NamedSeries& named, const CurveData& drawn, Timestamp at,
                                 const TimeFormat& format, int digits)
{
    const ViewSeries& series = named.series;
    const auto point = pointAt(timeline, series.ref, at);
    if (!point)
        return std::nullopt;
    TipContent tip;
    tip.look.color = named.color;
    tip.look.height = 16;
    tip.title = named.name;
    tip.duration = exactValue(series, point->value);
    tip.time = timeText(at, format, digits);
    const auto column =
        std::ranges::find_if(drawn.columns.columns, [&](const SeriesColumn& it) { return it.count > 1 && it.range.contains(at); });
    if (column != drawn.columns.columns.end()) {
        tip.facts.emplace_back(tr("Points"), tr("%1 in this pixel").arg(countText(qint64(column->count))));
        tip.facts.emplace_back(tr("Minimum"), exactValue(series, column->least));
        tip.facts.emplace_back(tr("Maximum"), exactValue(series, column->most));
    } else {
        tip.facts.emplace_back(tr("Since"), timeText(point->time, format, 9));
        if (const auto next = nextPoint(timeline, series.ref, at))
            tip.facts.emplace_back(tr("Next"), tr("%1, after %2").arg(exactValue(series, next->value), durationText(next->time - at)));
    }
    return tip;
}

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
        tips().hide(); // The tooltip is hidden, because it describes the time that was under the pointer before.
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
        update(timeArea()); // The selected row may be on another host; the marks then use that host's clock.
    });
    for (const auto signal : {&TimeWindow::hoveredChanged, &TimeWindow::cursorChanged})
        connect(&window, signal, this, [this] {
            updateMarks();
            requestValues();
        });
    connect(&axis(), &TimeAxis::hoveredHostChanged, this, [this] { update(timeArea()); });
    connect(&Themes::instance(), &Themes::changed, this, &CurveGraph::refresh);
}

/// Returns one band over the whole time area, for all hosts of shown curves; the largest error bound of these hosts applies.
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
    // Cached data is only valid within one experiment, because series keep their numbers only there. A null timeline announces another
    // experiment.
    if (!axis().timeline()) {
        m_columnsJob.cancel();
        m_known.clear();
        m_points.clear();
        m_values = {};
        m_fullRanges.clear();
    }
    refresh();
    // Pending requests are completed before the new timeline is read: otherwise no request would ever complete while new timelines arrive
    // quickly.
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

/// Updates everything that depends on the set of shown series, which includes the scale.
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
    constexpr int Above = 4; // Space above the first name, in pixels.
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

/// Updates the scale from the loaded values. The scale does not shrink while values are missing, because the missing values may be as
/// large as the values before.
void CurveGraph::updateScale()
{
    ValueRange values;
    std::vector<ValueRange> ranges; // Ranges of values, indexed by line.
    const double width = deviceScale().width();
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        ValueRange& range = ranges.emplace_back(valueRangeIn(m_lines[i].curve, width));
        if (const auto whole = m_fullRanges.find(curveKey(m_series[i])); whole != m_fullRanges.end() && !m_lines[i].isHidden)
            range.add(whole->second);
        values.add(range);
    }
    // Ratios always have scales of their own, because their values are not counts.
    const bool hasRatios = std::ranges::any_of(m_lines, &CurveLine::isOnTop);
    if ((m_hasOwnScales || hasRatios) && m_ownScales.apply(m_lines, ranges, isWholeWindowKnown(), CurveScene::stepsFor(height()))) {
        m_values = {0, 1};
        return;
    }
    if (m_values.isValid() && !values.isEmpty() && !isWholeWindowKnown())
        values.add({m_values.low, m_values.high});
    m_values = followed(m_values, values, CurveScene::stepsFor(height()));
}

/// Returns the text of the value beside a series' name. For a rate or ratio, the value is that of the interval at the time.
QString CurveGraph::valueBeside(std::size_t line, const TimeScale& scale) const
{
    const ViewSeries& series = m_series[line].series;
    if (m_series[line].hasIntervalValues()) {
        const CurveSpan* span = scale.isValid() ? curveSpanAt(m_lines[line].curve, scale.xAt(valueTime())) : nullptr;
        return span ? shortValue(span->value, drawnUnit(series)) : QString();
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

/// Repaints the outdated parts of m_picture.
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

bool CurveGraph::isAnswered(const CachedSeries& known, const TimeScale& scale) const
{
    return known.version == m_version && known.resolution == scale.resolution() && known.window.begin <= scale.window().begin
        && known.window.end >= scale.window().end;
}

void CurveGraph::requestColumns()
{
    m_asksAgain = false;
    const auto timeline = axis().timeline();
    const TimeScale scale = deviceScale();
    if (!timeline || !scale.isValid() || !isVisible() || height() == 0)
        return m_columnsJob.cancel();
    std::vector<NamedSeries> asked;
    for (std::size_t i = 0; i < m_series.size(); ++i) {
        const auto known = m_known.find(curveKey(m_series[i]));
        if (isShown(int(i)) && (known == m_known.end() || !isAnswered(known->second, scale)))
            asked.push_back(m_series[i]);
    }
    if (asked.empty())
        return m_columnsJob.cancel();
    m_columnsJob.post([this, timeline, asked = std::move(asked), window = widened(scale.window()), resolution = scale.resolution(),
                       version = m_version](std::stop_token stop) -> LatestTask::Delivery {
        auto since = std::chrono::steady_clock::now();
        FetchedSeries found;
        for (const NamedSeries& series : asked) {
            found.emplace_back(curveKey(series),
                               CachedSeries{fetchCurve(*timeline, series, window, resolution, stop), window, resolution, version});
            if (stop.stop_requested())
                return {};
            if (std::chrono::steady_clock::now() - since > Batch) {
                m_columnsJob.deliver(stop, [this, part = std::exchange(found, {})] { takeColumns(part); });
                since = std::chrono::steady_clock::now();
            }
        }
        return [this, found = std::move(found)] {
            takeColumns(found);
            if (m_asksAgain)
                requestColumns();
        };
    });
}

void CurveGraph::takeColumns(const FetchedSeries& answers)
{
    for (const auto& [series, known] : answers)
        m_known[series] = known;
    refresh();
}

/// Requests the minimum and maximum of each shown series over the whole recording, if the scale is fixed.
void CurveGraph::requestFullRanges()
{
    m_asksWholeAgain = false;
    const auto timeline = axis().timeline();
    if (!timeline || !m_isScaleFixed || !hasTimes(*timeline))
        return m_wholeJob.cancel();
    std::vector<NamedSeries> asked;
    for (std::size_t i = 0; i < m_series.size(); ++i)
        if (isShown(int(i)))
            asked.push_back(m_series[i]);
    m_wholeJob.post([this, timeline, asked = std::move(asked)](std::stop_token stop) -> LatestTask::Delivery {
        const TimeRange range = rangeOf(*timeline);
        const TimeScale scale({range.begin, range.end + Duration(1)}, WholeColumns);
        std::map<CurveKey, ValueRange> found;
        for (const NamedSeries& series : asked) {
            found[curveKey(series)] =
                valueRangeIn(layOutCurve(fetchCurve(*timeline, series, scale.window(), scale.resolution(), stop), scale), scale.width());
            if (stop.stop_requested())
                return {};
        }
        return [this, found = std::move(found)] {
            m_fullRanges = found;
            refresh();
            if (m_asksWholeAgain)
                requestFullRanges();
        };
    });
}

/// Requests the values beside the names. A new request replaces a pending one, because the pointer may move faster than values are read
/// from disk.
void CurveGraph::requestValues()
{
    m_asksValuesAgain = false;
    const auto timeline = axis().timeline();
    if (!timeline || !isVisible() || m_series.empty())
        return m_valuesJob.cancel();
    std::vector<CounterRef> asked;
    for (std::size_t i = 0; i < m_series.size(); ++i)
        if (isShown(int(i)) && !m_series[i].ratio)
            asked.push_back(m_series[i].series.ref);
    m_valuesJob.post([this, timeline, asked = std::move(asked), at = valueTime()](std::stop_token stop) -> LatestTask::Delivery {
        std::map<CounterRef, SeriesPoint> found;
        for (const CounterRef series : asked) {
            if (stop.stop_requested())
                return {};
            if (const auto point = pointAt(*timeline, series, at);
                point && at <= coveredRange(*timeline, traceOf(*timeline, TrackRef{series.store, {}})).end)
                found.emplace(series, *point);
        }
        return [this, found = std::move(found)] {
            m_points = found;
            refreshLabels();
            if (m_asksValuesAgain)
                requestValues();
        };
    });
}

void CurveGraph::requestRatioTip(const NamedSeries& named, const std::vector<RatioInterval>& intervals)
{
    const auto tip = ratioTip(named, intervals, timeAt(hoveredAt()), axis().format(), axis().digits(width()));
    if (!tip)
        return tips().hide();
    const auto find = [timeline = axis().timeline(), tip = *tip, named, range = axis().shownRange(),
                       theme = helio::theme()](std::stop_token stop, const TipController::Show& show) {
        show(tip);
        if (range.isEmpty())
            return;
        TipContent all = tip; // The sum over the range takes longer, so the tooltip is shown without it first.
        addRange(all, *timeline, named, range, theme, stop);
        if (!stop.stop_requested())
            show(all);
    };
    tips().ask(find, [this] { return TipPosition{hoveredAt(), hoveredAt().y(), hoveredAt().y()}; });
}

void CurveGraph::requestTip()
{
    const int line = nearestLine(hoveredAt());
    const auto timeline = axis().timeline();
    if (line < 0 || !timeline || !underMouse() || isDragging())
        return tips().hide();
    const NamedSeries& named = m_series[std::size_t(line)];
    const auto known = m_known.find(curveKey(named));
    if (known == m_known.end())
        return;
    if (known->second.series.ratio)
        return requestRatioTip(named, *known->second.series.ratio);
    const TimeScale scale = deviceScale();
    const CurveSpan* span = curveSpanAt(m_lines[std::size_t(line)].curve, scale.xAt(timeAt(hoveredAt())));
    const bool isRate = named.series.kind == CounterSeries::Kind::Accumulating;
    std::vector<std::pair<QString, QString>> rates;
    const auto addRate = [&](const QString& what, double value) { rates.emplace_back(what, shortValue(value, drawnUnit(named.series))); };
    if (isRate && span)
        addRate(tr("Rate"), span->value);
    if (isRate && span && span->least < span->most) {
        addRate(tr("Lowest"), span->least);
        addRate(tr("Highest"), span->most);
    }
    const auto find = [timeline, named, drawn = known->second.series, rates, at = timeAt(hoveredAt()), format = axis().format(),
                       digits = axis().digits(width())](std::stop_token, const TipController::Show& show) {
        auto tip = tipFor(*timeline, named, drawn, at, format, digits);
        if (tip)
            tip->facts.insert(tip->facts.begin(), rates.begin(), rates.end());
        show(tip);
    };
    tips().ask(find, [this] { return TipPosition{hoveredAt(), hoveredAt().y(), hoveredAt().y()}; });
}

} // namespace helio
