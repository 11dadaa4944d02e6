#include "widgets/timeline/graph/axis/ruler_layout.h"

#include "widgets/paint/text.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>
#include <span>

namespace helio {

namespace {

constexpr double Gap = 6; ///< Minimum distance between two flags or a flag and the pill.
constexpr double LeastInRange = 24; ///< Space for the range's arrows beside a pill inside the range.

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

    /// Returns the first of `lefts` where the item overlaps nothing; otherwise the first of all, moved into view.
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

    /// Returns the candidate positions of the pill, nearest to the middle of the range first: the middle, beside each flag, beside the
    /// range.
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

} // namespace

QRectF flagRect(const RulerScene& scene, const RulerScene::Flag& flag, const Fonts& fonts)
{
    const double text = QFontMetricsF(fonts.at(10.5, 500)).horizontalAdvance(flag.name);
    const double around = RulerLayout::Padding + RulerLayout::Notch + 4;
    return {std::floor(scene.labelWidth + scene.scale.xAt(flag.range.begin)), 6, std::clamp(std::ceil(text) + around, 18.0, 124.0), 13};
}

RulerLayout layOutRuler(const RulerScene& scene, const Fonts& fonts) { return RulerLayouter(scene, fonts).run(); }

} // namespace helio
