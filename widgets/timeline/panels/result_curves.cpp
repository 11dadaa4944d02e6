#include "widgets/timeline/panels/result_curves.h"

#include "core/query/rows/facts.h"
#include "widgets/theme/themes.h"
#include "widgets/time/time_format.h"
#include "widgets/timeline/curves/series_source.h"

#include <QPaintEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace helio {

namespace {

constexpr int LeastCurveHeight = 110; ///< Minimum height in pixels at which curves are readable.
constexpr int MostNames = 12; ///< Maximum number of names in the natural height; the user scrolls to further names.
constexpr double PointReach = 12; ///< Maximum distance in pixels between the pointer and a point that it hits.

Timestamp timeOf(const ResultPoint& it) { return it.at; }

} // namespace

Curve layOutPoints(const std::vector<ResultPoint>& points, const TimeScale& scale, Timestamp end)
{
    Curve curve;
    if (!scale.isValid())
        return curve;
    const TimeRange window = scale.window();
    const auto after = std::ranges::upper_bound(points, window.begin, {}, timeOf);
    std::size_t i = after == points.begin() ? 0 : std::size_t(after - points.begin()) - 1;
    const auto place = [&](Timestamp at) { return std::clamp(scale.xAt(at), -2.0, scale.width() + 2); };
    double weight = 0; // Width in pixels of the points in the last span, by which its mean is weighted.
    for (; i < points.size() && points[i].at < window.end; ++i) {
        if (!points[i].value)
            continue;
        const double value = *points[i].value;
        const double begin = place(points[i].at);
        const double next = std::max(begin, place(i + 1 < points.size() ? points[i + 1].at : std::max(end, points[i].at)));
        if (!curve.empty() && curve.back().end >= begin && std::floor(curve.back().begin) == std::floor(begin)) {
            CurveSpan& last = curve.back();
            const double own = std::max(next - begin, 1e-9);
            last.value = (last.value * weight + value * own) / (weight + own);
            weight += own;
            last.least = std::min(last.least, value);
            last.most = std::max(last.most, value);
            last.end = next;
            continue;
        }
        curve.push_back({begin, next, value, value, value});
        weight = std::max(next - begin, 1e-9);
    }
    return curve;
}

std::vector<CurveLine> makeResultCurves(const ResultPanelData& data, const Theme& theme, const TimeScale& scale, Timestamp end,
                                        const std::vector<bool>& isHidden)
{
    std::vector<CurveLine> lines;
    for (std::size_t i = 0; i < data.lanes.size(); ++i) {
        CurveLine& line = lines.emplace_back();
        line.name = data.lanes[i].name;
        line.color = curveColor(theme, int(i));
        line.isHidden = i < isHidden.size() && isHidden[i];
        if (!line.isHidden)
            line.curve = layOutPoints(data.lanes[i].points, scale, end);
    }
    return lines;
}

ResultCurves::ResultCurves(TimeAxis& axis, QWidget* parent)
    : TimeBody(axis, parent)
{
    TimeWindow& window = axis.window();
    const auto moved = [this] {
        tips().hide();
        refresh();
    };
    connect(&window, &TimeWindow::visibleChanged, this, moved);
    connect(&axis, &TimeAxis::labelWidthChanged, this, moved);
    for (const auto signal : {&TimeAxis::formatChanged, &TimeAxis::rangeShownChanged})
        connect(&axis, signal, this, &ResultCurves::refresh);
    connect(&window, &TimeWindow::selectionChanged, this, &ResultCurves::refresh);
    connect(&axis.bookmarks(), &Bookmarks::changed, this, &ResultCurves::updateMarks);
    for (const auto signal : {&TimeWindow::hoveredChanged, &TimeWindow::cursorChanged})
        connect(&window, signal, this, [this] { refresh(); }); // The names show the values at this time.
    connect(&Themes::instance(), &Themes::changed, this, &ResultCurves::refresh);
}

void ResultCurves::setData(std::shared_ptr<const ResultPanelData> data)
{
    m_data = std::move(data);
    m_hidden.assign(m_data ? m_data->lanes.size() : 0, false);
    m_values = {};
    m_scrollY = 0;
    refresh();
}

void ResultCurves::setEmptyMessage(EmptyMessage message)
{
    m_empty = std::move(message);
    refresh();
}

int ResultCurves::naturalHeight() const
{
    return !m_data || m_data->lanes.empty()
        ? 0
        : std::max(LeastCurveHeight, CurveScene::heightOf(std::min(int(m_data->lanes.size()), MostNames)));
}

std::size_t ResultCurves::countIn(TimeRange window) const
{
    std::size_t count = 0;
    if (m_data)
        for (const ResultLane& lane : m_data->lanes)
            count += std::size_t(std::ranges::lower_bound(lane.points, window.end, {}, timeOf)
                                 - std::ranges::lower_bound(lane.points, window.begin, {}, timeOf));
    return count;
}

Timestamp ResultCurves::endOfRecording() const { return axis().timeline() ? rangeOf(*axis().timeline()).end : Timestamp::min(); }

/// Returns a value with all of its digits.
QString ResultCurves::textOf(double value) const
{
    const bool isTime = m_data && m_data->unit == QLatin1String("ns") && std::abs(value) < 9e18;
    return isTime ? durationText(Duration(std::llround(value))) : QString::number(value, 'g', 12);
}

void ResultCurves::refresh()
{
    m_isOld = true;
    update();
}

CurveScene ResultCurves::sceneNow() const
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
    if (m_data)
        scene.unit = m_data->unit;
    scene.selection = axis().shownRange();
    scene.scrollY = m_scrollY;
    scene.hoveredName = m_hoveredName;
    return scene;
}

void ResultCurves::compose()
{
    const QSize pixels = (QSizeF(size()) * devicePixelRatioF()).toSize();
    if (m_picture.size() != pixels) {
        m_picture = QImage(pixels, QImage::Format_RGB32);
        m_isOld = true;
    }
    if (m_picture.isNull() || !std::exchange(m_isOld, false))
        return;
    m_picture.setDevicePixelRatio(devicePixelRatioF());
    m_ticks = ticksFor(axis().scale(width()), axis().format());
    const TimeScale scale = deviceScale();
    m_lines = m_data ? makeResultCurves(*m_data, theme(), scale, endOfRecording(), m_hidden) : std::vector<CurveLine>();
    ValueRange values;
    const Timestamp at = axis().window().hovered().value_or(axis().window().cursor());
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        values.add(valueRangeIn(m_lines[i].curve, scale.width()));
        if (const ResultPoint* point = pointBefore(i, at); point && point->value && !m_hidden[i])
            m_lines[i].value = shortValue(*point->value, m_data->unit);
    }
    m_values = followed(m_values, values, CurveScene::stepsFor(height()));
    QPainter painter(&m_picture);
    const CurveScene scene = sceneNow();
    paintCurves(painter, scene);
    if (m_lines.empty())
        m_empty.paint(painter, scene.timeArea());
    paintCurveLabels(painter, scene);
}

void ResultCurves::paintEvent(QPaintEvent* event)
{
    compose();
    QPainter painter(this);
    painter.setClipRegion(event->region());
    painter.drawImage(QPointF(), m_picture);
    paintMarks(painter);
    paintFocus(painter);
}

void ResultCurves::resizeEvent(QResizeEvent*)
{
    tips().hide();
    m_scrollY = std::clamp(m_scrollY, 0, std::max(0, CurveScene::heightOf(int(m_lines.size())) - height()));
    refresh();
}

/// Returns the last point at or before a time; nullptr if there is none.
const ResultPoint* ResultCurves::pointBefore(std::size_t lane, Timestamp at) const
{
    const auto& points = m_data->lanes[lane].points;
    const auto after = std::ranges::upper_bound(points, at, {}, timeOf);
    return after == points.begin() ? nullptr : &*(after - 1);
}

int ResultCurves::nameAt(QPoint at) const
{
    const CurveScene scene = sceneNow();
    const int y = at.y() - scene.nameTop(0);
    const int line = y < 0 ? -1 : y / CurveScene::NameHeight;
    return at.x() >= 0 && at.x() < scene.namesRight() && line < int(m_lines.size()) ? line : -1;
}

/// Returns the point of a shown curve that is nearest to the pointer; nullptr if none is near.
const ResultPoint* ResultCurves::nearestPoint(QPoint at, std::size_t* lane) const
{
    if (!m_data || isInLabels(at) || !m_values.isValid())
        return nullptr;
    const CurveScene scene = sceneNow();
    const TimeScale scale = axis().scale(width());
    const Timestamp time = timeAt(at);
    const ResultPoint* nearest = nullptr;
    double least = PointReach;
    for (std::size_t i = 0; i < m_data->lanes.size() && i < m_lines.size(); ++i) {
        const ResultPoint* point = m_hidden[i] ? nullptr : pointBefore(i, time + scale.durationOf(2));
        if (!point || !point->value)
            continue;
        if (const double distance = std::abs(scene.yOf(*point->value) - at.y()); distance < least) {
            least = distance;
            nearest = point;
            *lane = i;
        }
    }
    return nearest;
}

void ResultCurves::hoverOver(std::optional<QPoint> at)
{
    const int name = at && isInLabels(*at) ? nameAt(*at) : -1;
    if (std::exchange(m_hoveredName, name) != name)
        refresh();
}

void ResultCurves::requestTip()
{
    std::size_t lane = 0;
    const ResultPoint* point = nearestPoint(hoveredAt(), &lane);
    if (!point)
        return tips().hide();
    TipContent tip;
    tip.look.color = m_lines[lane].color;
    tip.look.height = 16;
    tip.title = m_data->lanes[lane].name;
    tip.duration = textOf(*point->value);
    tip.time = timeText(timeAt(hoveredAt()), axis().format(), axis().digits(width()));
    tip.facts.emplace_back(tr("Since"), timeText(point->at, axis().format(), 9));
    tip.facts.emplace_back(tr("Row of the result"), countText(qint64(point->line) + 1));
    tips().ask([tip](std::stop_token, const TipController::Show& show) { show(tip); },
               [this, line = point->line]() -> std::optional<TipPosition> {
                   std::size_t lane = 0;
                   const ResultPoint* now = nearestPoint(hoveredAt(), &lane);
                   return now && now->line == line ? std::optional(TipPosition{hoveredAt(), hoveredAt().y() - 10, hoveredAt().y() + 10})
                                                   : std::nullopt;
               });
}

bool ResultCurves::scrollBy(QPoint at, double notches)
{
    const int most = CurveScene::heightOf(int(m_lines.size())) - height();
    if (most <= 0 || !isInLabels(at))
        return false;
    m_scrollY = std::clamp(m_scrollY - int(std::lround(notches * 3 * CurveScene::NameHeight)), 0, most);
    refresh();
    return true;
}

void ResultCurves::pressLabel(QPoint at)
{
    const int line = nameAt(at);
    if (line < 0 || line >= int(m_hidden.size())) // The names are those of the last painting.
        return;
    m_hidden[std::size_t(line)] = !m_hidden[std::size_t(line)];
    m_values = {};
    refresh();
}

void ResultCurves::click(QPoint at)
{
    std::size_t lane = 0;
    const ResultPoint* point = nearestPoint(at, &lane);
    axis().window().setCursor(timeAt(at));
    if (point)
        emit chosen(point->line);
}

std::optional<Timestamp> ResultCurves::snapped(QPoint, Timestamp time) const
{
    const Duration reach = axis().scale(width()).durationOf(SnapPixels);
    std::optional<Timestamp> nearest;
    for (std::size_t i = 0; m_data && i < m_data->lanes.size(); ++i) {
        const auto& points = m_data->lanes[i].points;
        auto it = std::ranges::lower_bound(points, time - reach, {}, timeOf);
        for (; !m_hidden[i] && it != points.end() && it->at <= time + reach; ++it)
            if (!nearest || std::chrono::abs(it->at - time) < std::chrono::abs(*nearest - time))
                nearest = it->at;
    }
    return nearest;
}

void ResultCurves::stepPoint(bool forward)
{
    const Timestamp cursor = axis().window().cursor();
    const ResultPoint* found = nullptr;
    for (std::size_t i = 0; m_data && i < m_data->lanes.size(); ++i) {
        if (m_hidden[i])
            continue;
        const auto& points = m_data->lanes[i].points;
        const auto next =
            forward ? std::ranges::upper_bound(points, cursor, {}, timeOf) : std::ranges::lower_bound(points, cursor, {}, timeOf);
        if (forward && next != points.end() && (!found || next->at < found->at))
            found = &*next;
        if (!forward && next != points.begin() && (!found || (next - 1)->at > found->at))
            found = &*(next - 1);
    }
    if (found)
        emit chosen(found->line);
}

} // namespace helio
