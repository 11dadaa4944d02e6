#include "widgets/timeline/graph/axis/ruler_scene.h"

#include "widgets/paint/marks.h"
#include "widgets/paint/text.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>
#include <span>

namespace helio {

namespace {

/// Minimum distance in pixels between two flags, and between a flag and the pill (the label with the selection's duration).
constexpr double Gap = 6;
/// Minimum space in pixels beside a pill inside the selected range, for the arrows to the ends of the range; half of it on each side.
constexpr double LeastInRange = 24;

class RulerLayouter {
public:
    RulerLayouter(const RulerScene& scene, const Fonts& fonts)
        : m_scene(scene)
        , m_fonts(fonts)
        , m_left(scene.labelWidth)
        , m_right(scene.size.width())
    {
    }

    RulerLayout run()
    {
        for (const RulerScene::Flag& flag : m_scene.bookmarks)
            m_places.bookmarks.push_back(flagRect(m_scene, flag, m_fonts));
        placeCursor();
        placePill();
        return m_places;
    }

private:
    double x(Timestamp t) const { return m_left + m_scene.scale.xAt(t); }

    bool isFree(const QRectF& rect, double gap) const
    {
        const auto meets = [&](const QRectF& other) { return rect.left() < other.right() + gap && rect.right() > other.left() - gap; };
        return rect.left() >= m_left && rect.right() <= m_right && (m_places.cursor.isEmpty() || !meets(m_places.cursor))
            && std::ranges::none_of(m_places.bookmarks, meets);
    }

    /// Returns the rectangle of a flag or of the pill, `width` pixels wide: at the first position of `lefts` where it overlaps nothing. If
    /// it overlaps something at each position, it is at the first position, moved into view.
    QRectF placed(double width, std::span<const double> lefts, double gap) const
    {
        const auto at = [&](double left) { return QRectF(std::round(left), RulerLayout::Top, std::round(width), RulerLayout::Height); };
        const auto free = std::ranges::find_if(lefts, [&](double left) { return isFree(at(left), gap); });
        return at(free != lefts.end() ? *free : std::clamp(lefts.front(), m_left, std::max(m_left, m_right - width)));
    }

    void placeCursor()
    {
        if (!m_scene.cursor)
            return;
        const double line = std::floor(x(*m_scene.cursor));
        if (line < m_left || line > m_right)
            return;
        const TimeRange window = m_scene.scale.window();
        const int digits = std::max(3, digitsFor(m_scene.scale.resolution()));
        m_places.cursorText = window.duration() < std::chrono::seconds(1) ? shortTimeText(*m_scene.cursor, m_scene.format, digits)
                                                                          : timeText(*m_scene.cursor, m_scene.format, digits);
        const double width = std::round(tabularWidth(m_fonts.at(11.5, 500), m_places.cursorText) + 16);
        const double lefts[] = {line, line - width};
        m_places.cursor = placed(width, lefts, 0);
    }

    void placePill()
    {
        if (m_scene.selection.isEmpty() || x(m_scene.selection.end) < m_left || x(m_scene.selection.begin) > m_right)
            return;
        m_places.pillText = durationText(m_scene.selection.duration());
        const double width = tabularWidth(m_fonts.at(11.5, 600), m_places.pillText) + 30 + (m_scene.isZooming ? 16 : 0);
        m_places.pill = placed(width, pillLefts(width), Gap);
    }

    /// Returns possible x positions of the pill, the label with the selection's duration, nearest to the middle of the selection first: in
    /// the middle, beside the labels of cursor and bookmarks, and beside the selection.
    std::vector<double> pillLefts(double width) const
    {
        const double begin = std::max(x(m_scene.selection.begin), m_left);
        const double end = std::min(x(m_scene.selection.end), m_right);
        const double middle = (begin + end) / 2 - width / 2;
        std::vector<double> lefts{middle, end + Gap, begin - Gap - width};
        const auto addBeside = [&](const QRectF& rect) {
            lefts.push_back(rect.left() - Gap - 2 - width);
            lefts.push_back(rect.right() + Gap + 2);
        };
        if (!m_places.cursor.isEmpty())
            addBeside(m_places.cursor);
        std::ranges::for_each(m_places.bookmarks, addBeside);
        const auto isCut = [&](double left) {
            return left < end && left + width > begin && (left < begin + LeastInRange / 2 || left + width > end - LeastInRange / 2);
        };
        std::erase_if(lefts, isCut);
        std::ranges::stable_sort(lefts, {}, [&](double left) { return std::abs(left - middle); });
        return lefts;
    }

    const RulerScene& m_scene;
    const Fonts& m_fonts;
    double m_left;
    double m_right;
    RulerLayout m_places;
};

constexpr int TextBaseline = 21;
/// Length in pixels of the short arrows beside the pill in a wide selected range, which do not reach the ends of the range.
constexpr int Stub = 16;

class RulerPainter {
public:
    RulerPainter(QPainter& painter, const RulerScene& scene, const Theme& theme, const Fonts& fonts)
        : m_painter(painter)
        , m_scene(scene)
        , m_theme(theme)
        , m_fonts(fonts)
        , m_area(scene.labelWidth, 0, scene.size.width() - scene.labelWidth, scene.size.height())
        , m_places(layOutRuler(scene, fonts))
    {
    }

    void paint()
    {
        m_painter.save();
        m_painter.fillRect(QRectF(QPointF(), QSizeF(m_scene.size)), m_theme.color("surface.panel"));
        const Ticks ticks = ticksFor(m_scene.scale, m_scene.format);
        leftCell(ticks.prefix);
        m_painter.setClipRect(m_area, Qt::IntersectClip);
        range();
        marks(ticks);
        bottomLine();
        finding();
        hits();
        bookmarks();
        pill();
        cursor();
        m_painter.restore();
    }

private:
    double x(Timestamp t) const { return m_area.left() + m_scene.scale.xAt(t); }

    void leftCell(const QString& prefix)
    {
        const QRectF cell(0, 0, m_scene.labelWidth, m_scene.size.height() - 1);
        const Timestamp at = m_scene.scale.window().begin;
        m_painter.setFont(m_fonts.small());
        m_painter.setPen(m_theme.color("text.secondary"));
        const QString date = dateText(at, m_scene.format);
        const double baseline = centredBaseline(m_fonts.small(), cell);
        // Date and time zone are omitted if they would overlap `prefix`, the leading digits that all times of the ruler share.
        const double end = cell.width() - 12 - tabularWidth(m_fonts.group(), prefix) - 8;
        double left = 12;
        for (const QString& text : {date, zoneText(at, m_scene.format)}) {
            const double width = tabularWidth(m_fonts.small(), text);
            if (left + width > end)
                break;
            drawTabularAt(m_painter, {left, baseline}, text);
            left += width + 10;
        }
        m_painter.setFont(m_fonts.group());
        m_painter.setPen(m_theme.color("text.primary"));
        drawTabular(m_painter, cell.adjusted(0, 0, -12, 0), Qt::AlignRight, prefix);
        m_painter.fillRect(QRectF(m_scene.labelWidth - 1, 0, 1, cell.height()), m_theme.color("line.subtle"));
        m_painter.fillRect(QRectF(0, m_scene.size.height() - 1, m_scene.labelWidth, 1), m_theme.color("line.strong"));
    }

    void bottomLine()
    {
        m_painter.fillRect(QRectF(m_area.left(), m_area.bottom(), m_area.width(), 1), m_theme.color("line.strong"));
        if (m_scene.selection.isEmpty())
            return;
        const double left = x(m_scene.selection.begin);
        m_painter.fillRect(QRectF(left, m_area.bottom() - 2, x(m_scene.selection.end) - left, 2), m_theme.color("accent.fill"));
    }

    void marks(const Ticks& ticks)
    {
        m_painter.setFont(m_fonts.small());
        for (const Tick& tick : ticks.ticks) {
            const double at = std::floor(x(tick.at));
            const int height = tick.isMajor ? 10 : 5;
            m_painter.fillRect(QRectF(at, m_area.bottom() - height, 1, height), m_theme.color(tick.isMajor ? "text.hint" : "line.strong"));
            const double width = tick.isMajor ? tabularWidth(m_fonts.small(), tick.label) : 0;
            const bool isInView = at + 5 >= m_area.left() && at + 5 + width <= m_area.right() + 1;
            if (!tick.isMajor || !isInView || isTakenAt(at + 5, width))
                continue;
            m_painter.setPen(m_theme.color("text.secondary"));
            drawTabularAt(m_painter, {at + 5, TextBaseline}, tick.label);
        }
        if (m_scene.end && x(*m_scene.end) < m_area.right()) {
            m_painter.fillRect(QRectF(x(*m_scene.end), 0, 1, m_area.height()), m_theme.color("line.strong"));
        }
    }

    /// True if a tick's label at this position would overlap a flag, the pill with the selected range's duration, or the arrows between
    /// this pill and the ends of the range.
    bool isTakenAt(double left, double width) const
    {
        const auto meets = [&](const QRectF& rect) { return left + width > rect.left() && left < rect.right() + 2; };
        if (!m_places.cursor.isEmpty() && meets(m_places.cursor))
            return true;
        if (std::ranges::any_of(m_places.bookmarks, meets))
            return true;
        if (m_places.pill.isEmpty())
            return false;
        if (isRangeWide())
            return meets(m_places.pill.adjusted(-Stub, 0, Stub, 0)) || meets(QRectF(x(m_scene.selection.begin), 0, 14, 1))
                || meets(QRectF(x(m_scene.selection.end) - 14, 0, 14, 1));
        return meets(m_places.pill) || (left + width > x(m_scene.selection.begin) && left < x(m_scene.selection.end));
    }

    /// True if the selected range covers more than 60 % of the ruler. Tick labels are then painted inside the range, and its arrows are
    /// short.
    bool isRangeWide() const
    {
        const double left = std::max(x(m_scene.selection.begin), double(m_area.left()));
        const double right = std::min(x(m_scene.selection.end), double(m_area.right() + 1));
        return right - left > 0.6 * m_area.width();
    }

    void range()
    {
        if (m_scene.selection.isEmpty())
            return;
        const double left = x(m_scene.selection.begin);
        const double right = x(m_scene.selection.end);
        m_painter.fillRect(QRectF(left, 0, right - left, m_area.height() - 1), m_theme.color("surface.selected"));
        for (const Timestamp at : {m_scene.selection.begin, m_scene.selection.end})
            m_painter.fillRect(QRectF(std::floor(x(at)), 0, 1, m_area.height()),
                               m_theme.color(m_scene.snapped == at ? "range.snap" : "range.edge"));
    }

    void pill()
    {
        const QRectF rect = m_places.pill;
        if (rect.isEmpty())
            return;
        arrows(rect);
        m_painter.setRenderHint(QPainter::Antialiasing);
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(m_theme.color("accent.fill"));
        m_painter.drawRoundedRect(rect, 4, 4);
        m_painter.setRenderHint(QPainter::Antialiasing, false);
        QRectF text = rect;
        if (m_scene.isZooming) {
            paintGlyph(m_painter, QRectF(rect.left() + 8, rect.top() + 3, 14, 14), Glyph::Magnifier, m_theme.color("accent.ink"));
            text.adjust(16, 0, 0, 0);
        }
        m_painter.setFont(m_fonts.at(11.5, 600));
        m_painter.setPen(m_theme.color("accent.ink"));
        drawTabular(m_painter, text, Qt::AlignHCenter, m_places.pillText);
    }

    /// Paints arrows from the pill, the label with the selection's duration, to both ends of the selected range.
    void arrows(const QRectF& pill)
    {
        const double left = x(m_scene.selection.begin);
        const double right = x(m_scene.selection.end);
        // The pill is beside the range, which is too short for it, so nothing has to be cut out.
        if (pill.right() < left || pill.left() > right)
            return;
        m_painter.save();
        m_painter.setRenderHint(QPainter::Antialiasing);
        m_painter.setPen(QPen(m_theme.color("text.secondary"), 1));
        const double y = pill.center().y() - 0.5;
        m_painter.drawLine(QPointF(isRangeWide() ? pill.left() - Stub : left + 6, y), QPointF(pill.left() - 1, y));
        m_painter.drawLine(QPointF(pill.right() + 1, y), QPointF(isRangeWide() ? pill.right() + Stub : right - 6, y));
        if (isRangeWide()) {
            m_painter.drawLine(QPointF(left + 6, y), QPointF(left + 12, y));
            m_painter.drawLine(QPointF(right - 12, y), QPointF(right - 6, y));
        }
        for (const auto& [tip, dx] : {std::pair{left + 5, 4.0}, std::pair{right - 5, -4.0}})
            m_painter.drawPolyline(QPolygonF{{tip + dx, y - 3.5}, {tip, y}, {tip + dx, y + 3.5}});
        m_painter.restore();
    }

    void bookmarks()
    {
        m_painter.setFont(m_fonts.at(10.5, 500));
        for (std::size_t i = 0; i < m_scene.bookmarks.size(); ++i) {
            const RulerScene::Flag& flag = m_scene.bookmarks[i];
            const double left = x(flag.range.begin);
            const QColor color = m_theme.color("mark.bookmark");
            if (!flag.range.isEmpty())
                m_painter.fillRect(QRectF(left, 1, std::max(1.0, x(flag.range.end) - left), 3), color);
            const QRectF rect = m_places.bookmarks[i];
            m_painter.fillRect(QRectF(std::floor(left), rect.top(), 1, m_area.bottom() - rect.top()), color);
            m_painter.setRenderHint(QPainter::Antialiasing);
            m_painter.setPen(Qt::NoPen);
            m_painter.setBrush(color);
            m_painter.drawPolygon(QPolygonF{rect.topLeft(),
                                            rect.topRight(),
                                            {rect.right() - RulerLayout::Notch, rect.center().y()},
                                            rect.bottomRight(),
                                            rect.bottomLeft()});
            m_painter.setRenderHint(QPainter::Antialiasing, false);
            m_painter.setPen(m_theme.textColorFor(color));
            m_painter.drawText(QPointF(rect.left() + RulerLayout::Padding, centredBaseline(m_painter.font(), rect)),
                               elidedLabel(m_painter.font(), flag.name, rect.width() - RulerLayout::Padding - RulerLayout::Notch - 2));
        }
    }

    void finding()
    {
        constexpr double Height = 3;
        for (const TimeRange& range : m_scene.findingRanges) {
            const double left = std::max(double(m_area.left()), x(range.begin));
            const double right = std::min(double(m_area.right() + 1), std::max(x(range.end), left + 2));
            if (right > left)
                m_painter.fillRect(QRectF(left, m_scene.size.height() - Height, right - left, Height),
                                   m_theme.colorOf(m_scene.findingColor));
        }
    }

    void hits()
    {
        double last = -10;
        for (const Timestamp at : m_scene.hits) {
            const double left = x(at);
            if (left < m_area.left() || left > m_area.right() || left - last < 3)
                continue;
            last = left;
            paintTriangle(m_painter, QPointF(left + 0.5, 5), 6, 5, m_theme.color("mark.hit"));
        }
    }

    void cursor()
    {
        if (m_scene.hovered && (!m_scene.cursor || *m_scene.hovered != *m_scene.cursor)) {
            const double at = std::floor(x(*m_scene.hovered));
            m_painter.fillRect(QRectF(at, m_area.bottom() - 10, 1, 10), m_theme.color("text.secondary"));
        }
        const QRectF flag = m_places.cursor;
        if (flag.isEmpty())
            return;
        const double at = std::floor(x(*m_scene.cursor));
        m_painter.setRenderHint(QPainter::Antialiasing);
        m_painter.setPen(m_theme.color("line.strong"));
        m_painter.setBrush(m_theme.color("surface.raised"));
        m_painter.drawRoundedRect(flag.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
        m_painter.setRenderHint(QPainter::Antialiasing, false);
        m_painter.setFont(m_fonts.at(11.5, 500));
        m_painter.setPen(m_theme.color("text.primary"));
        drawTabular(m_painter, flag, Qt::AlignHCenter, m_places.cursorText);
        m_painter.fillRect(QRectF(at - 1, 0, 3, m_area.height()), m_theme.color("cursor.halo"));
        m_painter.fillRect(QRectF(at, 0, 1, m_area.height()), m_theme.color("cursor.line"));
    }

    QPainter& m_painter;
    const RulerScene& m_scene;
    const Theme& m_theme;
    const Fonts& m_fonts;
    QRect m_area;
    RulerLayout m_places;
};

} // namespace

QRectF flagRect(const RulerScene& scene, const RulerScene::Flag& flag, const Fonts& fonts)
{
    const double text = QFontMetricsF(fonts.at(10.5, 500)).horizontalAdvance(flag.name);
    const double around = RulerLayout::Padding + RulerLayout::Notch + 4;
    return {std::floor(scene.labelWidth + scene.scale.xAt(flag.range.begin)), 6, std::clamp(std::ceil(text) + around, 18.0, 124.0), 13};
}

RulerLayout layOutRuler(const RulerScene& scene, const Fonts& fonts) { return RulerLayouter(scene, fonts).run(); }

void paintRuler(QPainter& painter, const RulerScene& scene, const Theme& theme, const Fonts& fonts)
{
    RulerPainter(painter, scene, theme, fonts).paint();
}

} // namespace helio
