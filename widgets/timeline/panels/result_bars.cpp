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

constexpr double BarReach = 3; ///< Maximum distance in pixels between the pointer and a bar that it hits.

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
    m_layout = ResultBarsLayout(std::move(data));
    m_hovered.reset();
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

const std::vector<ResultLane>& ResultBars::lanes() const
{
    static const std::vector<ResultLane> none;
    return m_layout.data() ? m_layout.data()->lanes : none;
}

void ResultBars::refresh()
{
    m_isOld = true;
    update();
}

ResultBarsScene ResultBars::sceneNow() const
{
    ResultBarsScene scene;
    scene.theme = &theme();
    scene.fonts = &fonts();
    scene.layout = &m_layout;
    scene.ticks = &m_ticks;
    scene.size = size();
    scene.labelWidth = axis().labelWidth();
    scene.scale = axis().scale(width());
    scene.selection = axis().shownRange();
    scene.mark = m_mark;
    if (m_hovered)
        scene.hoveredLane = m_hovered->lane;
    scene.scrollY = m_scrollY;
    return scene;
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
    m_ticks = ticksFor(axis().scale(width()), axis().format());
    QPainter painter(&m_picture);
    paintResultBars(painter, sceneNow());
    if (m_layout.lanes() == 0)
        m_empty.paint(painter, timeArea());
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
    for (std::size_t lane = 0; lane < m_layout.lanes(); ++lane)
        if (y + m_scrollY >= m_layout.top(lane) && y + m_scrollY < m_layout.top(lane + 1))
            return lane;
    return {};
}

std::optional<ResultBars::Place> ResultBars::placeAt(QPoint at) const
{
    const auto lane = laneAt(at.y());
    const ResultBarsScene scene = sceneNow();
    if (!lane || isInLabels(at) || !scene.scale.isValid())
        return {};
    const auto& intervals = lanes()[*lane].intervals;
    const Duration reach = scene.scale.durationOf(BarReach);
    const Timestamp time = timeAt(at);
    std::optional<Place> nearest;
    double least = BarReach;
    for (std::size_t i = m_layout.firstIn(*lane, time - reach); i < intervals.size() && intervals[i].range.begin <= time + reach; ++i) {
        const QRectF bar = scene.barOf(*lane, intervals[i]);
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
    return place ? std::optional(lanes()[place->lane].intervals[place->interval].line) : std::nullopt;
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
    const ResultLane& lane = lanes()[place->lane];
    const ResultInterval it = lane.intervals[place->interval];
    const int digits = axis().digits(width());
    TipContent tip;
    tip.look.color = theme().category(int(it.name));
    tip.look.height = 16;
    tip.title = m_layout.data()->names.value(int(it.name));
    if (tip.title.isEmpty())
        tip.title = tr("Row %1").arg(countText(qint64(it.line) + 1));
    tip.duration = it.range.isEmpty() ? QString() : (it.isOpen ? QStringLiteral("≥") : QString()) + durationText(it.range.duration());
    tip.place = lane.name == tip.title ? QString() : lane.name;
    tip.time = timeText(it.range.begin, axis().format(), digits);
    tip.facts.emplace_back(tr("Row of the result"), countText(qint64(it.line) + 1));
    const int top = m_layout.top(place->lane) - m_scrollY, bottom = top + m_layout.heightOf(place->lane);
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
    const int before =
        std::exchange(m_scrollY, std::clamp(m_scrollY - int(std::lround(notches * 3 * ResultBarsLayout::RowHeight)), 0, most));
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
    const auto& intervals = lanes()[*lane].intervals;
    for (std::size_t i = m_layout.firstIn(*lane, time - reach); i < intervals.size() && intervals[i].range.begin <= time + reach; ++i)
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
    for (const ResultLane& lane : lanes()) {
        const auto& intervals = lane.intervals;
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
