#include "widgets/timeline/curves/curve_scene.h"

#include "widgets/paint/host_badge.h"
#include "widgets/paint/marks.h"
#include "widgets/paint/text.h"
#include "widgets/timeline/graph/axis/time_marks.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace helio {

namespace {

constexpr double LineWidth = 1.4;
constexpr double FillOpacity = 0.14;
constexpr double BandOpacity = 0.45;
constexpr int MostFilled = 4; ///< Maximum number of curves with filled areas; with more curves, only lines are drawn.
constexpr int SwatchSize = 9;
constexpr int NameLeft = 12;
constexpr int NameRight = 6; ///< Space right of a name and its value, in pixels.
constexpr int MoreMargin = 5; ///< Space between the chip's text and its border, in pixels.
constexpr int MoreHeight = 14;

/// Painter for the time area, in whole device pixels, so that edges are sharp and a column one pixel wide is as clear as a wider column.
class CurvesPainter {
public:
    CurvesPainter(QPainter& painter, const CurveScene& scene)
        : m_painter(painter)
        , m_scene(scene)
        , m_theme(*scene.theme)
        , m_area(scene.timeArea())
        , m_thickness(std::max(1, int(std::floor(LineWidth * scene.pixelRatio))))
        , m_bottom(device(scene.size.height()))
    {
    }

    void paint()
    {
        m_painter.save();
        m_painter.setClipRect(m_area, Qt::IntersectClip);
        m_painter.fillRect(m_area, m_theme.color("surface.timeline"));
        if (m_scene.scale.isValid()) {
            grid();
            curves();
            unread();
            paintRangeShade(m_painter, m_scene.scale, m_scene.selection, m_area, m_theme);
        }
        m_painter.restore();
    }

private:
    int device(double v) const { return qRound(v * m_scene.pixelRatio); }
    double x(Timestamp t) const { return m_area.left() + m_scene.scale.xAt(t); }

    /// Fills a rectangle in device pixels, x from the time area's left; `right` and `bottom` are exclusive.
    void fill(int left, int top, int right, int bottom, const QColor& color)
    {
        const double ratio = m_scene.pixelRatio;
        if (right > left && bottom > top)
            m_painter.fillRect(QRectF(m_area.left() + left / ratio, top / ratio, (right - left) / ratio, (bottom - top) / ratio), color);
    }

    void grid()
    {
        const QColor color = m_theme.color("line.grid");
        const int width = device(m_area.width());
        const int line = std::max(1, int(m_scene.pixelRatio));
        if (m_scene.ticks)
            for (const Tick& tick : m_scene.ticks->ticks)
                if (const double at = m_scene.deviceScale().xAt(tick.at); tick.isMajor && at >= 0 && at < width)
                    fill(int(at), 0, int(at) + line, m_bottom, color);
        for (const double value : ticksOf(m_scene.values, CurveScene::stepsFor(m_scene.size.height())))
            fill(0, y(value), width, y(value) + line, color);
    }

    int y(const CurveLine& line, double value) const
    {
        return int(std::clamp(std::floor(m_scene.yOf(line, value) * m_scene.pixelRatio), -1e6, 1e6));
    }
    int y(double value) const { return int(std::clamp(std::floor(m_scene.yOf(value) * m_scene.pixelRatio), -1e6, 1e6)); }

    void curves()
    {
        if (!m_scene.values.isValid() || !m_scene.lines)
            return;
        const auto isShown = [](const CurveLine& line) { return !line.isHidden; };
        if (std::ranges::count_if(*m_scene.lines, isShown) <= MostFilled)
            for (const CurveLine& line : *m_scene.lines)
                if (isShown(line))
                    area(line);
        for (const std::size_t i : drawingOrder(*m_scene.lines))
            if (const CurveLine& line = (*m_scene.lines)[i]; isShown(line))
                curve(line);
    }

    static QColor faint(QColor color, double opacity)
    {
        color.setAlphaF(float(opacity));
        return color;
    }
    static int left(const CurveSpan& span) { return int(std::floor(span.begin)); }
    static int right(const CurveSpan& span) { return std::max(left(span) + 1, int(std::floor(span.end))); }

    /// Fills the area between a curve and 0. If 0 is outside of the scale, the area extends to the end of the scale nearest to 0.
    void area(const CurveLine& line)
    {
        const QColor color = faint(line.color, FillOpacity);
        const ValueScale& scale = line.scale.isValid() ? line.scale : m_scene.values;
        const int ground = y(line, std::clamp(0.0, scale.low, scale.high)) + m_thickness;
        // First column that is not filled yet. Two adjacent spans may share a column, but each column is filled only once, because the
        // colour is translucent.
        int from = 0;
        for (const CurveSpan& span : line.curve) {
            const int top = std::min(y(line, span.value), ground), bottom = std::max(y(line, span.value), ground);
            fill(std::max(from, left(span)), top, right(span), bottom, color);
            from = right(span);
        }
    }

    void curve(const CurveLine& line)
    {
        const QColor band = faint(line.color, BandOpacity);
        const CurveSpan* before = nullptr;
        for (const CurveSpan& span : line.curve) {
            if (span.most > span.least)
                fill(left(span), y(line, span.most), right(span), y(line, span.least) + m_thickness, band);
            fill(left(span), y(line, span.value), right(span), y(line, span.value) + m_thickness, line.color);
            if (before && before->end == span.begin) {
                const int a = y(line, before->value), b = y(line, span.value);
                fill(left(span), std::min(a, b), left(span) + m_thickness, std::max(a, b) + m_thickness, line.color);
            }
            before = &span;
        }
    }

    void unread()
    {
        if (!m_scene.knownUntil || *m_scene.knownUntil >= m_scene.scale.window().end)
            return;
        const double from = std::max(double(m_area.left()), x(*m_scene.knownUntil));
        paintHatch(m_painter, QRectF(from, 0, m_area.right() + 1 - from, m_area.height()), m_theme.color("mark.unread"), 7, 1.2);
    }

    QPainter& m_painter;
    const CurveScene& m_scene;
    const Theme& m_theme;
    QRect m_area;
    int m_thickness; ///< Line width in device pixels.
    int m_bottom;
};

} // namespace

std::vector<std::size_t> drawingOrder(std::span<const CurveLine> lines)
{
    std::vector<std::size_t> order(lines.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::ranges::stable_partition(order, [lines](std::size_t i) { return !lines[i].isOnTop; });
    return order;
}

std::optional<HiddenNamesChip> hiddenNamesChip(const CurveScene& scene)
{
    HiddenNamesChip more;
    const int lines = scene.lines ? int(scene.lines->size()) : 0;
    for (int line = 0; line < lines; ++line)
        if (const int middle = scene.nameTop(line) + CurveScene::NameHeight / 2; middle < 0 || middle > scene.size.height())
            ++more.count;
        else
            more.line = line;
    if (more.count == 0 || more.line < 0)
        return {};
    const double width = std::ceil(tabularWidth(scene.fonts->small(), more.text())) + 2 * MoreMargin;
    const double top = scene.nameTop(more.line) + (CurveScene::NameHeight - MoreHeight) / 2.0;
    more.place = QRectF(scene.namesRight() - NameRight - width, top, width, MoreHeight);
    return more;
}

void paintCurves(QPainter& painter, const CurveScene& scene) { CurvesPainter(painter, scene).paint(); }

namespace {

class CurveLabelsPainter {
public:
    CurveLabelsPainter(QPainter& painter, const CurveScene& scene)
        : m_painter(painter)
        , m_scene(scene)
        , m_theme(*scene.theme)
        , m_name(scene.fonts->body())
        , m_small(scene.fonts->small())
    {
    }

    void paint()
    {
        const QRect column(0, 0, m_scene.labelWidth, m_scene.size.height());
        m_painter.save();
        m_painter.setClipRect(column, Qt::IntersectClip);
        m_painter.fillRect(column, m_theme.color("surface.panel"));
        scale();
        const auto more = hiddenNamesChip(m_scene);
        for (int line = 0; m_scene.lines && line < int(m_scene.lines->size()); ++line)
            if (const int top = m_scene.nameTop(line); top + CurveScene::NameHeight > 0 && top < column.height())
                name((*m_scene.lines)[std::size_t(line)], QRect(0, top, m_scene.namesRight(), CurveScene::NameHeight),
                     line == m_scene.hoveredName, more && line == more->line ? more->place.left() : m_scene.namesRight());
        if (more)
            chip(*more);
        m_painter.restore();
    }

private:
    void scale()
    {
        const auto ticks = ticksOf(m_scene.values, CurveScene::stepsFor(m_scene.size.height()));
        m_painter.setFont(m_small);
        for (const double value : ticks) {
            const double y = std::floor(m_scene.yOf(value));
            m_painter.fillRect(QRectF(m_scene.labelWidth - 4, y, 4, 1), m_theme.color("line.strong"));
            if (m_scene.hasOwnScales())
                continue;
            m_painter.setPen(m_theme.color("text.secondary"));
            const double height = 12;
            const double top = std::clamp(y - height / 2, 0.0, std::max(0.0, m_scene.size.height() - height));
            const QRectF room(m_scene.namesRight(), top, CurveScene::ScaleWidth - 8, height);
            const QString withUnit = shortValue(value, m_scene.unit);
            const bool fits = value == ticks.back() && tabularWidth(m_small, withUnit) <= room.width();
            drawTabular(m_painter, room, Qt::AlignRight, fits || isOfTime() ? withUnit : shortValue(value));
        }
    }

    /// True if the values are times; the unit in their texts then depends on the value.
    bool isOfTime() const { return m_scene.unit == QLatin1String("ns"); }

    void chip(const HiddenNamesChip& more)
    {
        m_painter.setRenderHint(QPainter::Antialiasing);
        m_painter.setPen(m_theme.color("line.strong"));
        m_painter.setBrush(m_theme.color("surface.selected"));
        m_painter.drawRoundedRect(more.place.adjusted(0.5, 0.5, -0.5, -0.5), more.place.height() / 2, more.place.height() / 2);
        m_painter.setRenderHint(QPainter::Antialiasing, false);
        m_painter.setBrush(Qt::NoBrush);
        m_painter.setFont(m_small);
        m_painter.setPen(m_theme.color("text.primary"));
        drawTabular(m_painter, more.place, Qt::AlignHCenter, more.text());
    }

    /// Paints the name of a curve with its swatch and value. `end` is the right limit in pixels: the left edge of the HiddenNamesChip if
    /// this line has it, otherwise the right edge of the names.
    void name(const CurveLine& line, const QRect& rect, bool isHovered, double end)
    {
        if (isHovered || line.isOfSelectedRow)
            m_painter.fillRect(rect, m_theme.color(line.isOfSelectedRow ? "surface.selected" : "surface.hover"));
        if (line.isOfSelectedRow)
            m_painter.fillRect(QRect(0, rect.top(), 3, rect.height()), m_theme.color("accent.fill"));
        swatch(line, rect);
        double right = end - 1 - NameRight;
        if (!line.value.isEmpty() && !line.isHidden) {
            const double width = tabularWidth(m_small, line.value);
            m_painter.setFont(m_small);
            m_painter.setPen(m_theme.color("text.secondary"));
            drawTabular(m_painter, QRectF(right - width, rect.top(), width, rect.height()), Qt::AlignRight, line.value);
            right -= width + 8;
        }
        double left = NameLeft + SwatchSize + 8;
        if (line.host) {
            paintHostBadge(m_painter, QPointF(left, rect.top() + (rect.height() - BadgeSize) / 2), *line.host, m_theme);
            left += BadgeSize + 6;
        }
        m_painter.setFont(m_name);
        m_painter.setPen(m_theme.color(line.isHidden ? "text.disabled" : "text.primary"));
        drawPixelCachedText(m_painter, QPointF(left, centredBaseline(m_name, rect)),
                            // Elided in the middle, because the end of the name is the owner, which must stay readable.
                            cachedElidedText(m_name, line.name, Qt::ElideMiddle, std::max(0.0, right - left)));
    }

    void swatch(const CurveLine& line, const QRect& rect)
    {
        const QRectF box(NameLeft, rect.top() + (rect.height() - SwatchSize) / 2, SwatchSize, SwatchSize);
        m_painter.fillRect(box, line.isHidden ? m_theme.color("line.strong") : line.color);
        if (line.isHidden)
            m_painter.fillRect(box.adjusted(1, 1, -1, -1), m_theme.color("surface.panel"));
    }

    QPainter& m_painter;
    const CurveScene& m_scene;
    const Theme& m_theme;
    QFont m_name;
    QFont m_small;
};

} // namespace

void paintCurveLabels(QPainter& painter, const CurveScene& scene) { CurveLabelsPainter(painter, scene).paint(); }

bool OwnScales::apply(std::vector<CurveLine>& lines, std::span<const ValueRange> ranges, bool isWholeKnown, int steps)
{
    std::map<QString, ValueRange> values;
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (lines[i].scale = {}; !lines[i].isHidden)
            values[lines[i].title].add(ranges[i]);
    if (values.size() < 2)
        return false;
    for (auto& [title, range] : values) {
        ValueScale& scale = m_scales[title];
        if (scale.isValid() && !range.isEmpty() && !isWholeKnown)
            range.add({scale.low, scale.high});
        scale = followed(scale, range, steps);
    }
    for (CurveLine& line : lines)
        if (const auto own = m_scales.find(line.title); !line.isHidden && own != m_scales.end())
            line.scale = own->second.isValid() ? own->second : ValueScale{0, 1};
    return true;
}

} // namespace helio
