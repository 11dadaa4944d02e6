#include "widgets/timeline/panels/result_bars.h"

#include "core/query/rows/facts.h"
#include "widgets/paint/text.h"
#include "widgets/theme/themes.h"
#include "widgets/time/time_format.h"

#include <QPaintEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace helio {

namespace {

constexpr int NameLeft = 26;
constexpr int TotalRight = 12;
constexpr int BarTop = 4;
constexpr int BarHeight = 14;
constexpr int LeastText = 26; ///< Minimum width in pixels of a bar with text.
constexpr double BarReach = 3; ///< Maximum distance in pixels between the pointer and a bar that it hits.

Timestamp endOf(const ResultInterval& it) { return std::max(it.range.end, it.range.begin + Duration(1)); }

} // namespace

ResultBars::ResultBars(TimeAxis& axis, QWidget* parent)
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
        connect(&axis, signal, this, &ResultBars::refresh);
    connect(&window, &TimeWindow::selectionChanged, this, &ResultBars::refresh);
    connect(&axis.bookmarks(), &Bookmarks::changed, this, &ResultBars::updateMarks);
    for (const auto signal : {&TimeWindow::hoveredChanged, &TimeWindow::cursorChanged})
        connect(&window, signal, this, &ResultBars::updateMarks);
    connect(&Themes::instance(), &Themes::changed, this, &ResultBars::refresh);
}

void ResultBars::setData(std::shared_ptr<const ResultPanelData> data)
{
    m_data = std::move(data);
    m_index.clear();
    m_tops = {0};
    m_hovered.reset();
    for (std::size_t i = 0; m_data && i < m_data->lanes.size(); ++i) {
        LaneIndex& index = m_index.emplace_back();
        Timestamp latest = Timestamp::min();
        for (const ResultInterval& it : m_data->lanes[i].intervals) {
            latest = std::max(latest, endOf(it));
            index.latestEnds.push_back(latest);
            index.ends.push_back(endOf(it));
        }
        std::ranges::sort(index.ends);
        m_tops.push_back(m_tops.back() + heightOf(i));
    }
    m_scrollY = std::clamp(m_scrollY, 0, std::max(0, naturalHeight() - height()));
    refresh();
}

void ResultBars::setEmptyMessage(EmptyMessage message)
{
    m_empty = std::move(message);
    refresh();
}

void ResultBars::setMark(std::optional<std::uint32_t> line)
{
    if (std::exchange(m_mark, line) != line)
        refresh();
}

int ResultBars::heightOf(std::size_t lane) const { return RowHeight + (int(m_data->lanes[lane].depths) - 1) * DepthHeight; }

int ResultBars::naturalHeight() const { return m_tops.empty() ? 0 : m_tops.back(); }

int ResultBars::heightOfWholeRows(int most) const
{
    int height = 0;
    for (const int bottom : m_tops)
        if (bottom <= most)
            height = bottom;
    return std::max(height, int(RowHeight));
}

std::size_t ResultBars::countIn(TimeRange window) const
{
    std::size_t count = 0;
    for (std::size_t i = 0; i < m_index.size(); ++i) {
        const auto& intervals = m_data->lanes[i].intervals;
        const auto begun = std::ranges::lower_bound(intervals, window.end, {}, [](const ResultInterval& it) { return it.range.begin; })
            - intervals.begin();
        const auto ended = std::ranges::upper_bound(m_index[i].ends, window.begin) - m_index[i].ends.begin();
        count += std::size_t(std::max<std::ptrdiff_t>(0, begun - ended));
    }
    return count;
}

/// Returns the index of the first interval of a lane that may reach beyond `begin`.
std::size_t ResultBars::firstIn(std::size_t lane, Timestamp begin) const
{
    const auto& ends = m_index[lane].latestEnds;
    return std::size_t(std::ranges::upper_bound(ends, begin) - ends.begin());
}

void ResultBars::refresh()
{
    m_isOld = true;
    update();
}

QRectF ResultBars::barOf(const ResultInterval& interval, int top, const TimeScale& scale) const
{
    const int left = axis().labelWidth();
    const double width = timeArea().width();
    const double begin = std::clamp(std::floor(scale.xAt(interval.range.begin)), -2.0, width + 2);
    const double end = std::clamp(std::floor(scale.xAt(interval.range.end)), -2.0, width + 2);
    return {left + begin, double(top + BarTop + int(interval.depth) * DepthHeight), std::max(1.0, end - begin), double(BarHeight)};
}

QString ResultBars::textOf(const ResultInterval& interval) const
{
    const QString name = m_data->names.value(int(interval.name));
    if (interval.range.isEmpty())
        return name;
    const QString duration = durationText(interval.range.duration());
    return (name.isEmpty() ? QString() : name + QStringLiteral("  ")) + (interval.isOpen ? QStringLiteral("≥") + duration : duration);
}

void ResultBars::paintBars(QPainter& painter, std::size_t lane, int top) const
{
    const TimeScale scale = axis().scale(width());
    const TimeRange window = scale.window();
    const auto& intervals = m_data->lanes[lane].intervals;
    std::vector<double> painted(m_data->lanes[lane].depths, -1); // Right edge of the last bar, by depth.
    const QColor gap = theme().color("surface.timeline");
    for (std::size_t i = firstIn(lane, window.begin); i < intervals.size() && intervals[i].range.begin < window.end; ++i) {
        const ResultInterval& it = intervals[i];
        if (endOf(it) <= window.begin)
            continue;
        QRectF bar = barOf(it, top, scale);
        double& last = painted[std::min<std::size_t>(it.depth, painted.size() - 1)];
        if (bar.right() <= last) // Another bar fills the same pixel.
            continue;
        painter.fillRect(bar, theme().category(int(it.name)));
        if (bar.left() <= last && bar.width() > 3) // Bars that touch are parted by one pixel.
            painter.fillRect(QRectF(bar.left(), bar.top(), 1, bar.height()), gap);
        last = bar.right();
        if (it.isOpen && bar.width() > 8) { // The end is unknown: the bar frays out.
            for (int y = 0; y < BarHeight; y += 4)
                painter.fillRect(QRectF(bar.right() - 4, bar.top() + y, 4, 2), gap);
        }
    }
}

void ResultBars::paintTexts(QPainter& painter, std::size_t lane, int top) const
{
    const TimeScale scale = axis().scale(width());
    const TimeRange window = scale.window();
    const TimeRange lit = axis().shownRange();
    const auto& intervals = m_data->lanes[lane].intervals;
    painter.setFont(fonts().bar());
    const QRectF area = timeArea();
    for (std::size_t i = firstIn(lane, window.begin); i < intervals.size() && intervals[i].range.begin < window.end; ++i) {
        const ResultInterval& it = intervals[i];
        if (endOf(it) <= window.begin)
            continue;
        const QRectF bar = barOf(it, top, scale);
        if (const QRectF shown = bar & area; shown.width() >= LeastText) {
            const QColor color = theme().category(int(it.name));
            const bool isShaded = !lit.isEmpty() && !lit.overlaps(it.range);
            painter.setPen(theme().textColorFor(isShaded ? theme().shaded(color) : color));
            const QString text = elidedLabel(painter.font(), textOf(it), shown.width() - 8);
            drawCachedText(painter, QPointF(shown.left() + 5, centredBaseline(painter.font(), shown)), text);
        }
        if (m_mark == it.line) {
            painter.setPen(theme().color("select.outline"));
            painter.drawRect(bar.adjusted(-0.5, -0.5, 0.5, 0.5));
        }
    }
}

void ResultBars::paintRow(QPainter& painter, std::size_t lane, int top) const
{
    const ResultLane& it = m_data->lanes[lane];
    const QRect rect(0, top, axis().labelWidth(), heightOf(lane));
    const bool isHovered = m_hovered && m_hovered->lane == lane;
    painter.fillRect(rect, theme().color(isHovered ? "surface.hover" : "surface.panel"));
    painter.fillRect(QRect(0, rect.bottom(), rect.width(), 1), theme().color("line.faint"));
    const QRect line(0, top, rect.width(), RowHeight);
    double right = rect.width() - TotalRight;
    if (it.total.count() > 0) {
        const QString total = durationText(it.total);
        painter.setFont(fonts().small());
        painter.setPen(theme().color("text.secondary"));
        const double width = tabularWidth(painter.font(), total);
        drawTabular(painter, QRectF(right - width, line.top(), width, line.height()), Qt::AlignRight, total);
        right -= width + 8;
    }
    painter.setFont(fonts().body());
    painter.setPen(theme().color("text.primary"));
    drawPixelCachedText(painter, QPointF(NameLeft, centredBaseline(painter.font(), line)),
                        cachedElidedText(painter.font(), it.name, Qt::ElideMiddle, std::max(0.0, right - NameLeft)));
}

void ResultBars::compose()
{
    const QSize pixels = (QSizeF(size()) * devicePixelRatioF()).toSize();
    if (m_picture.size() != pixels) {
        m_picture = QImage(pixels, QImage::Format_RGB32);
        m_isOld = true;
    }
    if (m_picture.isNull() || !std::exchange(m_isOld, false))
        return;
    m_picture.setDevicePixelRatio(devicePixelRatioF());
    QPainter painter(&m_picture);
    const QRect area = timeArea();
    painter.fillRect(QRect(0, 0, axis().labelWidth(), height()), theme().color("surface.panel"));
    painter.fillRect(area, theme().color("surface.timeline"));
    const TimeScale scale = axis().scale(width());
    if (!m_data || m_data->lanes.empty())
        return m_empty.paint(painter, area);
    painter.setClipRect(area);
    if (scale.isValid())
        for (const Tick& tick : ticksFor(scale, axis().format()).ticks)
            if (tick.isMajor)
                painter.fillRect(QRectF(area.left() + std::floor(scale.xAt(tick.at)), 0, 1, height()), theme().color("line.grid"));
    const auto forEachRow = [&](auto&& paint) {
        for (std::size_t lane = 0; lane < m_data->lanes.size(); ++lane)
            if (topOf(lane) < height() && topOf(lane) + heightOf(lane) > 0)
                paint(lane, topOf(lane));
    };
    if (scale.isValid())
        forEachRow([&](std::size_t lane, int top) { paintBars(painter, lane, top); });
    paintRangeShade(painter, scale, axis().shownRange(), area, theme());
    if (scale.isValid())
        forEachRow([&](std::size_t lane, int top) { paintTexts(painter, lane, top); });
    painter.setClipRect(QRect(0, 0, axis().labelWidth(), height()));
    forEachRow([&](std::size_t lane, int top) { paintRow(painter, lane, top); });
}

void ResultBars::paintEvent(QPaintEvent* event)
{
    compose();
    QPainter painter(this);
    painter.setClipRegion(event->region());
    painter.drawImage(QPointF(), m_picture);
    paintMarks(painter);
    paintFocus(painter);
}

void ResultBars::resizeEvent(QResizeEvent*)
{
    tips().hide();
    m_scrollY = std::clamp(m_scrollY, 0, std::max(0, naturalHeight() - height()));
    refresh();
}

std::optional<std::size_t> ResultBars::laneAt(int y) const
{
    for (std::size_t lane = 0; m_data && lane < m_data->lanes.size(); ++lane)
        if (y >= topOf(lane) && y < topOf(lane) + heightOf(lane))
            return lane;
    return {};
}

std::optional<ResultBars::Place> ResultBars::placeAt(QPoint at) const
{
    const auto lane = laneAt(at.y());
    const TimeScale scale = axis().scale(width());
    if (!lane || isInLabels(at) || !scale.isValid())
        return {};
    const auto& intervals = m_data->lanes[*lane].intervals;
    const Duration reach = scale.durationOf(BarReach);
    const Timestamp time = timeAt(at);
    std::optional<Place> nearest;
    double least = BarReach;
    for (std::size_t i = firstIn(*lane, time - reach); i < intervals.size() && intervals[i].range.begin <= time + reach; ++i) {
        const QRectF bar = barOf(intervals[i], topOf(*lane), scale);
        if (at.y() < bar.top() - 1 || at.y() > bar.bottom() + 1)
            continue;
        const double distance = std::max({0.0, bar.left() - at.x(), at.x() - bar.right()});
        if (distance <= least) {
            least = distance;
            nearest = Place{*lane, i};
        }
    }
    return nearest;
}

std::optional<std::uint32_t> ResultBars::lineAt(QPoint at) const
{
    const auto place = placeAt(at);
    return place ? std::optional(m_data->lanes[place->lane].intervals[place->interval].line) : std::nullopt;
}

void ResultBars::hoverOver(std::optional<QPoint> at)
{
    const auto place = at ? placeAt(*at) : std::nullopt;
    const auto before = std::exchange(m_hovered, place);
    if ((before ? int(before->lane) : -1) != (place ? int(place->lane) : -1))
        refresh();
}

void ResultBars::requestTip()
{
    const auto place = placeAt(hoveredAt());
    if (!place)
        return tips().hide();
    const ResultLane& lane = m_data->lanes[place->lane];
    const ResultInterval it = lane.intervals[place->interval];
    const int digits = axis().digits(width());
    TipContent tip;
    tip.look.color = theme().category(int(it.name));
    tip.look.height = 16;
    tip.title = m_data->names.value(int(it.name));
    if (tip.title.isEmpty())
        tip.title = tr("Row %1").arg(countText(qint64(it.line) + 1));
    tip.duration = it.range.isEmpty() ? QString() : (it.isOpen ? QStringLiteral("≥") : QString()) + durationText(it.range.duration());
    tip.place = lane.name == tip.title ? QString() : lane.name;
    tip.time = timeText(it.range.begin, axis().format(), digits);
    tip.facts.emplace_back(tr("Row of the result"), countText(qint64(it.line) + 1));
    const int top = topOf(place->lane), bottom = top + heightOf(place->lane);
    tips().ask([tip](std::stop_token, const TipController::Show& show) { show(tip); },
               [this, place, top, bottom]() -> std::optional<TipPosition> {
                   return placeAt(hoveredAt()) == place ? std::optional(TipPosition{hoveredAt(), top, bottom}) : std::nullopt;
               });
}

bool ResultBars::scrollBy(QPoint, double notches)
{
    const int most = naturalHeight() - height();
    if (most <= 0)
        return false;
    const int before = std::exchange(m_scrollY, std::clamp(m_scrollY - int(std::lround(notches * 3 * RowHeight)), 0, most));
    refresh();
    return before != m_scrollY;
}

void ResultBars::pressLabel(QPoint) { }

void ResultBars::click(QPoint at)
{
    if (const auto line = lineAt(at))
        emit chosen(*line);
    else
        axis().window().setCursor(timeAt(at));
}

std::optional<Timestamp> ResultBars::snapped(QPoint at, Timestamp time) const
{
    const auto lane = laneAt(at.y());
    if (!lane)
        return {};
    const Duration reach = axis().scale(width()).durationOf(SnapPixels);
    std::optional<Timestamp> nearest;
    const auto& intervals = m_data->lanes[*lane].intervals;
    for (std::size_t i = firstIn(*lane, time - reach); i < intervals.size() && intervals[i].range.begin <= time + reach; ++i)
        for (const Timestamp edge : {intervals[i].range.begin, intervals[i].range.end})
            if (const Duration distance = std::chrono::abs(edge - time);
                distance <= reach && (!nearest || distance < std::chrono::abs(*nearest - time)))
                nearest = edge;
    return nearest;
}

void ResultBars::stepInterval(bool forward)
{
    const Timestamp cursor = axis().window().cursor();
    const ResultInterval* found = nullptr;
    for (std::size_t i = 0; m_data && i < m_data->lanes.size(); ++i) {
        const auto& intervals = m_data->lanes[i].intervals;
        const auto begin = [](const ResultInterval& it) { return it.range.begin; };
        const auto next =
            forward ? std::ranges::upper_bound(intervals, cursor, {}, begin) : std::ranges::lower_bound(intervals, cursor, {}, begin);
        if (forward && next != intervals.end() && (!found || next->range.begin < found->range.begin))
            found = &*next;
        if (!forward && next != intervals.begin() && (!found || (next - 1)->range.begin > found->range.begin))
            found = &*(next - 1);
    }
    if (found)
        emit chosen(found->line);
}

} // namespace helio
