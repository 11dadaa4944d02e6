#include "widgets/timeline/panels/result_bars_scene.h"

#include "widgets/paint/text.h"
#include "widgets/timeline/graph/axis/time_marks.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace helio {

namespace {

constexpr int NameLeft = 26;
constexpr int TotalRight = 12;
constexpr int BarTop = 4;
constexpr int BarHeight = 14;
constexpr int LeastText = 26; ///< Minimum width in pixels of a bar with text.

Timestamp endOf(const ResultInterval& it) { return std::max(it.range.end, it.range.begin + Duration(1)); }

/// Paints a scene.
class BarsPainter {
public:
    BarsPainter(QPainter& painter, const ResultBarsScene& scene)
        : m_painter(painter)
        , m_scene(scene)
        , m_theme(*scene.theme)
        , m_layout(*scene.layout)
    {
    }

    void paint()
    {
        const QRect area = m_scene.timeArea();
        const QRect labels(0, 0, m_scene.labelWidth, m_scene.size.height());
        m_painter.fillRect(labels, m_theme.color("surface.panel"));
        m_painter.fillRect(area, m_theme.color("surface.timeline"));
        if (m_layout.lanes() == 0 || !m_scene.scale.isValid())
            return;
        m_painter.save();
        m_painter.setClipRect(area);
        for (const Tick& tick : m_scene.ticks->ticks)
            if (tick.isMajor)
                m_painter.fillRect(QRectF(area.left() + std::floor(m_scene.scale.xAt(tick.at)), 0, 1, area.height()),
                                   m_theme.color("line.grid"));
        forEachRow([this](std::size_t lane) { paintBars(lane); });
        paintRangeShade(m_painter, m_scene.scale, m_scene.selection, area, m_theme);
        forEachRow([this](std::size_t lane) { paintTexts(lane); });
        m_painter.setClipRect(labels);
        forEachRow([this](std::size_t lane) { paintLabel(lane); });
        m_painter.restore();
    }

private:
    template <class Function> void forEachRow(const Function& function) const
    {
        for (std::size_t lane = 0; lane < m_layout.lanes(); ++lane)
            if (m_scene.topOf(lane) < m_scene.size.height() && m_scene.topOf(lane) + m_layout.heightOf(lane) > 0)
                function(lane);
    }

    /// Calls `function` with each interval of a row that overlaps the time area.
    template <class Function> void forEachInterval(std::size_t lane, const Function& function) const
    {
        const TimeRange window = m_scene.scale.window();
        const auto& intervals = m_layout.data()->lanes[lane].intervals;
        for (std::size_t i = m_layout.firstIn(lane, window.begin); i < intervals.size() && intervals[i].range.begin < window.end; ++i)
            if (endOf(intervals[i]) > window.begin)
                function(intervals[i]);
    }

    void paintBars(std::size_t lane)
    {
        std::vector<double> painted(m_layout.data()->lanes[lane].depths, -1); // Right edge of the last bar, by depth.
        const QColor gap = m_theme.color("surface.timeline");
        forEachInterval(lane, [&](const ResultInterval& it) {
            const QRectF bar = m_scene.barOf(lane, it);
            double& last = painted[std::min<std::size_t>(it.depth, painted.size() - 1)];
            if (bar.right() <= last) // Another bar fills the same pixel.
                return;
            m_painter.fillRect(bar, m_theme.category(int(it.name)));
            if (bar.left() <= last && bar.width() > 3) // Bars that touch are parted by one pixel.
                m_painter.fillRect(QRectF(bar.left(), bar.top(), 1, bar.height()), gap);
            last = bar.right();
            if (it.isOpen && bar.width() > 8) { // The end is unknown: the bar frays out.
                for (int y = 0; y < BarHeight; y += 4)
                    m_painter.fillRect(QRectF(bar.right() - 4, bar.top() + y, 4, 2), gap);
            }
        });
    }

    void paintTexts(std::size_t lane)
    {
        const TimeRange lit = m_scene.selection;
        const QRectF area = m_scene.timeArea();
        m_painter.setFont(m_scene.fonts->bar());
        forEachInterval(lane, [&](const ResultInterval& it) {
            const QRectF bar = m_scene.barOf(lane, it);
            if (const QRectF shown = bar & area; shown.width() >= LeastText) {
                const QColor color = m_theme.category(int(it.name));
                const bool isShaded = !lit.isEmpty() && !lit.overlaps(it.range);
                m_painter.setPen(m_theme.textColorFor(isShaded ? m_theme.shaded(color) : color));
                const QString text = elidedLabel(m_painter.font(), textOf(it), shown.width() - 8);
                drawCachedText(m_painter, QPointF(shown.left() + 5, centredBaseline(m_painter.font(), shown)), text);
            }
            if (m_scene.mark == it.line) {
                m_painter.setPen(m_theme.color("select.outline"));
                m_painter.drawRect(bar.adjusted(-0.5, -0.5, 0.5, 0.5));
            }
        });
    }

    QString textOf(const ResultInterval& interval) const
    {
        const QString name = m_layout.data()->names.value(int(interval.name));
        if (interval.range.isEmpty())
            return name;
        const QString duration = durationText(interval.range.duration());
        return (name.isEmpty() ? QString() : name + QStringLiteral("  ")) + (interval.isOpen ? QStringLiteral("≥") + duration : duration);
    }

    void paintLabel(std::size_t lane)
    {
        const ResultLane& it = m_layout.data()->lanes[lane];
        const int top = m_scene.topOf(lane);
        const QRect rect(0, top, m_scene.labelWidth, m_layout.heightOf(lane));
        m_painter.fillRect(rect, m_theme.color(m_scene.hoveredLane == lane ? "surface.hover" : "surface.panel"));
        m_painter.fillRect(QRect(0, rect.bottom(), rect.width(), 1), m_theme.color("line.faint"));
        const QRect line(0, top, rect.width(), ResultBarsLayout::RowHeight);
        double right = rect.width() - TotalRight;
        if (it.total.count() > 0) {
            const QString total = durationText(it.total);
            m_painter.setFont(m_scene.fonts->small());
            m_painter.setPen(m_theme.color("text.secondary"));
            const double width = tabularWidth(m_painter.font(), total);
            drawTabular(m_painter, QRectF(right - width, line.top(), width, line.height()), Qt::AlignRight, total);
            right -= width + 8;
        }
        m_painter.setFont(m_scene.fonts->body());
        m_painter.setPen(m_theme.color("text.primary"));
        drawPixelCachedText(m_painter, QPointF(NameLeft, centredBaseline(m_painter.font(), line)),
                            cachedElidedText(m_painter.font(), it.name, Qt::ElideMiddle, std::max(0.0, right - NameLeft)));
    }

    QPainter& m_painter;
    const ResultBarsScene& m_scene;
    const Theme& m_theme;
    const ResultBarsLayout& m_layout;
};

} // namespace

ResultBarsLayout::ResultBarsLayout(std::shared_ptr<const ResultPanelData> data)
    : m_data(std::move(data))
{
    if (!m_data)
        return;
    for (const ResultLane& lane : m_data->lanes) {
        Lane& its = m_lanes.emplace_back();
        Timestamp latest = Timestamp::min();
        for (const ResultInterval& it : lane.intervals) {
            latest = std::max(latest, endOf(it));
            its.latestEnds.push_back(latest);
            its.ends.push_back(endOf(it));
        }
        std::ranges::sort(its.ends);
        m_tops.push_back(m_tops.back() + RowHeight + (int(lane.depths) - 1) * DepthHeight);
    }
}

int ResultBarsLayout::heightOfWholeRows(int most) const
{
    int height = RowHeight;
    for (const int bottom : m_tops)
        if (bottom <= most)
            height = std::max(height, bottom);
    return height;
}

std::size_t ResultBarsLayout::countIn(TimeRange window) const
{
    std::size_t count = 0;
    for (std::size_t i = 0; i < m_lanes.size(); ++i) {
        const auto& intervals = m_data->lanes[i].intervals;
        const auto begun = std::ranges::lower_bound(intervals, window.end, {}, [](const ResultInterval& it) { return it.range.begin; })
            - intervals.begin();
        const auto ended = std::ranges::upper_bound(m_lanes[i].ends, window.begin) - m_lanes[i].ends.begin();
        count += std::size_t(std::max<std::ptrdiff_t>(0, begun - ended));
    }
    return count;
}

std::size_t ResultBarsLayout::firstIn(std::size_t lane, Timestamp begin) const
{
    const auto& ends = m_lanes[lane].latestEnds;
    return std::size_t(std::ranges::upper_bound(ends, begin) - ends.begin());
}

QRectF ResultBarsScene::barOf(std::size_t lane, const ResultInterval& interval) const
{
    const double width = timeArea().width();
    const double begin = std::clamp(std::floor(scale.xAt(interval.range.begin)), -2.0, width + 2);
    const double end = std::clamp(std::floor(scale.xAt(interval.range.end)), -2.0, width + 2);
    const int top = topOf(lane) + BarTop + int(interval.depth) * ResultBarsLayout::DepthHeight;
    return {labelWidth + begin, double(top), std::max(1.0, end - begin), double(BarHeight)};
}

void paintResultBars(QPainter& painter, const ResultBarsScene& scene) { BarsPainter(painter, scene).paint(); }

} // namespace helio
