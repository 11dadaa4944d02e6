#include "widgets/flame/view/flame_part.h"

#include "widgets/flame/view/frame_text.h"
#include "widgets/paint/frame_name.h"
#include "widgets/paint/text.h"
#include "widgets/theme/themes.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace helio {

namespace {

constexpr double TextMargin = 5;
constexpr double NarrowestText = 24;
constexpr double NarrowestShare = 150;
constexpr double SayingGap = 9;

/// Fonts and colours that all frames share.
struct FlameBrush {
    QFont plain = fonts().at(11);
    QFont root = fonts().at(11, 500);
    QFont strong = fonts().at(11, 600);
    QColor column = theme().color("line.strong");
    QColor match = theme().color("flame.match");
    QColor matchInk = theme().color("flame.match.ink");
    QColor inlined = theme().color("flame.inlined");
    QColor ground = theme().color("surface.panel");
    QColor text = theme().color("text.primary");
};

/// Paints the name of a frame; in a wide frame, also paints the texts of FrameStyle::frameTexts() at the right end.
void paintSaying(QPainter& painter, const FrameStyle& style, std::uint32_t node, const QRectF& rect, QPointF at, const QString& name,
                 const FlameBrush& brush)
{
    const QFont font = painter.font();
    const FrameStyle::FrameTexts saying = rect.width() > NarrowestShare ? style.frameTexts(node) : FrameStyle::FrameTexts();
    double right = rect.right() - TextMargin;
    const auto paint = [&](const QFont& with, const QString& text) {
        if (text.isEmpty())
            return;
        right -= tabularWidth(with, text);
        painter.setFont(with);
        drawTabularAt(painter, {right, at.y()}, text);
        right -= SayingGap;
    };
    paint(brush.plain, saying.plain);
    paint(brush.strong, saying.strong);
    painter.setFont(font);
    if (const QString shown = elidedFrame(font, name, right - at.x()); !shown.isEmpty())
        drawCachedText(painter, at, shown);
}

void paintText(QPainter& painter, const FlamePart& part, WeightBy by, const FlameBox& box, const QRectF& rect, const FlameBrush& brush)
{
    const double room = rect.width() - 2 * TextMargin;
    const bool isRoot = box.node == 0;
    const SampledFunction& function = part.tree->functionOf(box.node);
    const QFont& font = isRoot || function.code == CodeKind::Thread ? brush.root : brush.plain;
    painter.setFont(font);
    const QString name = !isRoot ? frameLabel(function) : part.style ? part.style->rootName() : QStringLiteral("all");
    const QPointF at(rect.left() + TextMargin, centredBaseline(font, rect));
    if (part.style)
        return paintSaying(painter, *part.style, box.node, rect, at, name, brush);
    QString share;
    if (rect.width() > NarrowestShare && !isRoot)
        share = QStringLiteral("  ") + shareText(amount(part.tree->nodes[box.node].total, by), amount(part.tree->whole, by));
    const QString shown = elidedFrame(font, name, room - tabularWidth(font, share));
    if (shown.isEmpty())
        return;
    drawCachedText(painter, at, shown);
    if (!share.isEmpty())
        drawTabularAt(painter, at + QPointF(cachedTextWidth(font, shown), 0), share);
}

void paintBox(QPainter& painter, const FlamePart& part, WeightBy by, const FlameBox& box, int row, const FlameBrush& brush, bool isAncestor)
{
    const QRectF rect = part.rectOf(box, row);
    if (box.isColumn)
        return painter.fillRect(rect, brush.column);
    const CallNode& node = part.tree->nodes[box.node];
    const auto id = static_cast<std::size_t>(node.function);
    const bool isMatch = box.node != 0 && id < part.matches.size() && part.matches[id];
    const bool isOutlined = !isMatch && part.style && part.style->isOutlined(box.node);
    FlameColors::Paint paint = isMatch ? FlameColors::Paint{brush.match, brush.matchInk} : part.paintOf(box.node);
    if (isAncestor)
        paint = FlameColors::faded(paint, theme());
    painter.fillRect(rect, paint.fill);
    if (isOutlined)
        painter.fillRect(rect.adjusted(1, 1, -1, -1), brush.ground);
    if (node.isInlined)
        painter.fillRect(QRectF(rect.left(), rect.top(), rect.width(), 2), brush.inlined);
    if (rect.width() < NarrowestText)
        return;
    painter.setPen(isOutlined ? brush.text : paint.ink);
    paintText(painter, part, by, box, rect, brush);
}

} // namespace

int FlamePart::rowAt(double y) const
{
    if (y < top || y >= top + height())
        return -1;
    const int line = int((y - top) / FlameRowHeight);
    return skippedRows + (growsUp ? shownRows() - 1 - line : line);
}

QRectF FlamePart::rectOf(const FlameBox& box, int row) const
{
    const double left = std::round(box.left);
    const double right = std::round(box.left + box.width);
    // Frames that are wide enough have a gap of one pixel.
    const double width = right - left > 2 ? right - left - 1 : std::max(1.0, right - left);
    return {left, double(rowTop(row)), width, double(FlameRowHeight - 1)};
}

void FlamePart::resolve(const Theme& theme)
{
    colors.resolve(theme);
    stylePaints.clear();
    if (!style)
        return;
    for (const QString& role : style->roles()) {
        const QColor fill = theme.color(role);
        const QString ink = role + QStringLiteral(".ink");
        stylePaints.push_back({fill, theme.has(ink) ? theme.color(ink) : theme.textColorFor(fill)});
    }
}

QString shareText(std::uint64_t part, std::uint64_t whole, int decimals)
{
    if (whole == 0)
        return QStringLiteral("\u2013");
    constexpr int MostDecimals = 6;
    const double percent = 100.0 * double(part) / double(whole);
    for (double least = 0.5 * std::pow(10.0, -decimals); part > 0 && percent < least && decimals < MostDecimals; least /= 10)
        ++decimals; // Uses one more decimal, because a part above 0 must not be shown as 0.
    return QString::number(percent, 'f', decimals) + QStringLiteral("\u00a0%");
}

void paintFlame(QPainter& painter, const FlamePart& part, WeightBy by, double top, double bottom)
{
    if (!part.tree)
        return;
    const FlameBrush brush;
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (int row = part.skippedRows; row < part.layout.rowCount(); ++row) {
        const int y = part.rowTop(row);
        if (y + FlameRowHeight <= top || y >= bottom)
            continue;
        const bool isAncestor = row < int(part.tree->nodes[part.layout.zoom].depth);
        for (const FlameBox& box : part.layout.row(row))
            paintBox(painter, part, by, box, row, brush, isAncestor);
    }
}

} // namespace helio
