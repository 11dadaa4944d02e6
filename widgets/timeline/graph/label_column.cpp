// Painter of the label column: names, ids and meters of the rows.

#include "widgets/paint/frame_name.h"
#include "widgets/paint/host_badge.h"
#include "widgets/paint/marks.h"
#include "widgets/paint/text.h"
#include "widgets/timeline/graph/graph_scene.h"
#include "widgets/timeline/graph/label_metrics.h"

#include <QFontMetricsF>
#include <QHash>
#include <QImage>
#include <QPaintEngine>

#include <algorithm>
#include <cmath>

namespace helio {

namespace {

constexpr double RoundingTolerance = 1e-11; ///< Tolerance for the rounding errors of binary fractions, when a number is rounded down.

/// Rounds a number down to a whole number; a number that is less than a whole number only by a rounding error becomes this whole number.
double roundedDown(double number) { return std::floor(number + RoundingTolerance); }

QString numberText(double value, bool isLowerBound)
{
    const double tenths = isLowerBound ? roundedDown(value * 10) : std::round(value * 10);
    if (tenths < 1)
        return isLowerBound ? QStringLiteral("0") : QStringLiteral("<0.1");
    if (tenths >= 100)
        return QString::number(isLowerBound ? qint64(roundedDown(value)) : qint64(std::lround(value)));
    return QString::number(tenths / 10, 'f', 1);
}

constexpr int NameLeft = 26;
constexpr int MeterWidth = 34;
constexpr int LeastMeter = 8;
constexpr int MeterGap = 4; ///< Gap in pixels between a meter and its number.
constexpr int MeterHeight = 4;
/// Number of steps per pixel to which the length of a meter is rounded, so that meters of nearly the same length share a cached image.
constexpr int MeterSteps = 16;
constexpr int MeterRight = 82; ///< Distance in pixels between the left edge of the meters and the right edge of the column.
constexpr int NumberRight = 12;
constexpr int PinSize = 14;
constexpr int PinGap = 6; ///< Gap in pixels between the pin button and the numbers.
constexpr int BadgeGap = 6; ///< Gap in pixels between a host's badge and its name.
constexpr int LeastName = 36; ///< Minimum width in pixels of a host's name beside its clock chip; if less is left, the chip is not shown.
constexpr int ChipWidth = 28;
constexpr int ChipHeight = 16;

/// Returns the heading of the host; nullptr if the row is not the heading of a host.
const HostHeading* headingOf(const GraphScene& scene, int row)
{
    const GraphRow& it = (*scene.rows)[row];
    return it.isHost && scene.hosts && it.host < scene.hosts->size() ? &(*scene.hosts)[it.host] : nullptr;
}

/// Returns the left edge of a row's id, meter and number.
int numbersLeft(const GraphScene& scene, const GraphRow& row)
{
    if (!row.id.isEmpty())
        return scene.labelWidth - idRightOf(scene.labelWidth) - int(tabularWidth(scene.fonts->small(), row.id));
    if (!row.hasShare || !row.isMeasured())
        return scene.labelWidth - NumberRight;
    if (isNarrow(scene.labelWidth)) // Narrow columns have no meters.
        return scene.labelWidth - NumberRight - int(std::ceil(tabularWidth(scene.fonts->small(), QStringLiteral("100 %"))));
    return scene.labelWidth - MeterRight;
}

class LabelColumnPainter {
public:
    LabelColumnPainter(QPainter& painter, const GraphScene& scene)
        : m_painter(painter)
        , m_scene(scene)
        , m_theme(*scene.theme)
        , m_name(scene.fonts->body())
        , m_group(scene.fonts->group())
        , m_small(scene.fonts->small())
    {
    }

    void paint()
    {
        m_painter.save();
        const QRect column(0, 0, m_scene.labelWidth, m_scene.size.height());
        m_painter.setClipRect(column, Qt::IntersectClip);
        m_painter.fillRect(column, m_theme.color("surface.panel"));
        if (m_scene.rows) {
            const auto [first, last] = m_scene.paintedRows();
            for (int row = first; row < last; ++row)
                paintRow(row);
        }
        m_painter.restore();
    }

private:
    void paintRow(int row)
    {
        const GraphRow& it = (*m_scene.rows)[row];
        const QRect rect(0, m_scene.rowTop(row), m_scene.labelWidth, m_scene.rows->metrics(row).height);
        if (m_scene.isSelected(row))
            m_painter.fillRect(rect, m_theme.color("surface.selected"));
        else if (row == m_scene.hoveredRow || row == m_scene.relatedRow)
            m_painter.fillRect(rect, m_theme.color("surface.hover"));
        else if (it.isHeading)
            m_painter.fillRect(rect, m_theme.color("surface.group"));
        if (!continuesBelow(row))
            m_painter.fillRect(QRectF(0, rect.bottom(), rect.width(), 1), m_theme.color("line.faint"));
        if (row == m_scene.relatedRow)
            m_painter.fillRect(QRect(0, rect.top(), 3, rect.height() - 1), m_theme.color("select.related"));
        if (m_scene.isSelected(row))
            m_painter.fillRect(QRect(0, rect.top(), 3, rect.height() - 1), m_theme.color("accent.fill"));
        else if (m_scene.isOfFinding(row))
            m_painter.fillRect(QRect(0, rect.top(), 3, rect.height()), m_theme.colorOf(m_scene.finding->color));
        if (it.hasChildren) {
            const QRectF chevron(7 + it.depth * indentOf(m_scene.labelWidth), rect.top() + (rect.height() - 14) / 2.0, 14, 14);
            paintGlyph(m_painter, chevron, it.isOpen ? Glyph::ChevronDown : Glyph::ChevronRight, m_theme.color("text.secondary"));
        }
        if (const HostHeading* host = headingOf(m_scene, row))
            return paintHost(row, it, *host, rect);
        int right = it.hiddenDepths > 0 ? paintChip(it, rect) : paintNumbers(row, it, rect);
        if (const QRect pin = row == m_scene.pinnableRow ? pinButtonOf(m_scene, row, rect) : QRect(); !pin.isEmpty()) {
            paintGlyph(m_painter, pin, Glyph::Pin, m_theme.color(m_scene.isPinned ? "text.primary" : "text.secondary"));
            right = std::min(right, pin.left());
        }
        if (it.drawnAs == RowShape::Frame)
            paintCall(it, rect, right);
        else
            paintName(it, rect, right);
    }

    void paintHost(int row, const GraphRow& it, const HostHeading& host, const QRect& rect)
    {
        const int left = NameLeft + it.depth * indentOf(m_scene.labelWidth);
        const double middle = rect.top() + rect.height() / 2.0;
        paintHostBadge(m_painter, QPointF(left, std::floor(middle - BadgeSize / 2.0)), host, m_theme);
        const QRectF chip = clockChipOf(m_scene, row, rect);
        paintClockChip(m_painter, chip, host, m_scene.fonts->bar(), m_theme);
        const double right = chip.isEmpty() ? m_scene.labelWidth : chip.left();
        m_painter.setFont(m_group);
        m_painter.setPen(m_theme.color("text.primary"));
        const int name = left + BadgeSize + BadgeGap;
        const QString text = cachedElidedText(m_group, QString::fromStdString(host.name), Qt::ElideMiddle, std::max(0.0, right - name - 6));
        drawPixelCachedText(m_painter, QPointF(name, centredBaseline(m_group, rect)), text);
    }

    /// Paints the chip with the number of hidden call depths, and returns the left edge of the chip.
    int paintChip(const GraphRow& it, const QRect& rect)
    {
        const QRect chip = hiddenDepthsChip(rect);
        m_painter.setRenderHint(QPainter::Antialiasing);
        m_painter.setPen(m_theme.color("line.strong"));
        m_painter.setBrush(m_theme.color("surface.selected"));
        m_painter.drawRoundedRect(QRectF(chip).adjusted(0.5, 0.5, -0.5, -0.5), chip.height() / 2.0, chip.height() / 2.0);
        m_painter.setRenderHint(QPainter::Antialiasing, false);
        m_painter.setBrush(Qt::NoBrush);
        m_painter.setFont(m_small);
        m_painter.setPen(m_theme.color("text.primary"));
        drawTabular(m_painter, QRectF(chip), Qt::AlignHCenter, QStringLiteral("+%1").arg(it.hiddenDepths));
        return chip.left();
    }

    /// Paints the call at the cursor: the colour of its module, its function and its duration.
    void paintCall(const GraphRow& it, const QRect& rect, int right)
    {
        const auto call = m_scene.calls ? m_scene.calls->find(it.ref) : CallsByRow::const_iterator();
        if (!m_scene.calls || call == m_scene.calls->end())
            return;
        const CursorCall& at = call->second;
        const int left = NameLeft + it.depth * indentOf(m_scene.labelWidth) + 2;
        const StateLooks& looks = m_scene.looks->of(*m_scene.timeline, it.ref, nullptr)->looks;
        if (std::size_t(at.state) < looks.size())
            m_painter.fillRect(QRect(left - 14, rect.center().y() - 3, 8, 8), looks[std::size_t(at.state)].color);
        m_painter.setFont(m_small);
        m_painter.setPen(m_theme.color("text.secondary"));
        if (it.hiddenDepths == 0) {
            const double width = tabularWidth(m_small, at.duration);
            right = int(m_scene.labelWidth - NumberRight - width);
            drawTabular(m_painter, QRectF(right, rect.top(), width, rect.height()), Qt::AlignRight, at.duration);
        }
        m_painter.setFont(m_name);
        m_painter.setPen(m_theme.color("text.primary"));
        const QString text = elidedFrame(m_name, at.function, std::max(0, right - left - 6));
        drawPixelCachedText(m_painter, QPointF(left, centredBaseline(m_name, rect)), text);
    }

    /// True if the next row belongs to the same call stack.
    bool continuesBelow(int row) const
    {
        const RowShape next = row + 1 < m_scene.rows->count() ? (*m_scene.rows)[row + 1].shape() : RowShape::Normal;
        return next == RowShape::Frame || next == RowShape::Strip;
    }

    void paintName(const GraphRow& it, const QRect& rect, int right)
    {
        const QFont& font = it.isStrong ? m_group : m_name;
        int left = NameLeft + it.depth * indentOf(m_scene.labelWidth);
        if (const auto badge = std::size_t(it.badge); it.badge >= 0 && m_scene.hosts && badge < m_scene.hosts->size()) {
            const double top = std::floor(rect.top() + (rect.height() - BadgeSize) / 2.0);
            paintHostBadge(m_painter, QPointF(left, top), (*m_scene.hosts)[badge], m_theme);
            left += BadgeSize + BadgeGap;
        }
        const auto mode = it.name.contains(QLatin1Char('/')) || it.badge >= 0 ? Qt::ElideMiddle : Qt::ElideRight;
        m_painter.setFont(font);
        m_painter.setPen(m_theme.color("text.primary"));
        const double room = std::max(0, right - left - 6);
        QString text = cachedElidedText(font, it.name, mode, room);
        if (!it.shortName.isEmpty() && text != it.name)
            text = cachedElidedText(font, it.shortName, Qt::ElideMiddle, room);
        drawPixelCachedText(m_painter, QPointF(left, centredBaseline(font, rect)), text);
        if (!it.remark.isEmpty())
            paintRemark(it.remark, left + int(std::ceil(QFontMetricsF(font).horizontalAdvance(text))), right, rect);
    }

    void paintRemark(const QString& remark, int left, int right, const QRect& rect)
    {
        constexpr int Gap = 8;
        if (left + Gap + QFontMetricsF(m_small).horizontalAdvance(remark) > right - 6)
            return;
        m_painter.setFont(m_small);
        m_painter.setPen(m_theme.color("text.secondary"));
        drawPixelCachedText(m_painter, QPointF(left + Gap, centredBaseline(m_small, rect)), remark);
    }

    /// Paints id, meter and number of a row, and returns their left edge.
    int paintNumbers(int, const GraphRow& it, const QRect& rect)
    {
        const int edge = m_scene.labelWidth;
        m_painter.setFont(m_small);
        if (it.hasShare && it.isMeasured()) {
            const auto share = shareOf(it, *m_scene.shares);
            const double value = share ? std::clamp(share->share, 0.0, it.sources ? double(it.sources->size()) : 1.0) : 0.0;
            const QString text = share ? shareText(value, share->isLowerBound, m_scene.isPercentBare) : QString();
            const double width = tabularWidth(m_small, text);
            const int left = edge - MeterRight;
            // A wide number, e.g. "≥100 %", shortens the meter.
            const double meterWidth =
                std::clamp(edge - NumberRight - std::ceil(width) - MeterGap - left, double(LeastMeter), double(MeterWidth));
            if (!isNarrow(edge))
                meter(QRectF(left, rect.center().y() + 1 - MeterHeight / 2.0, meterWidth, MeterHeight), std::min(1.0, value));
            m_painter.setPen(m_theme.color("text.secondary"));
            drawTabular(m_painter, QRectF(edge - NumberRight - width, rect.top(), width, rect.height()), Qt::AlignRight, text);
        }
        if (!it.id.isEmpty()) {
            m_painter.setPen(m_theme.color("text.secondary"));
            const double width = tabularWidth(m_small, it.id);
            drawTabular(m_painter, QRectF(edge - idRightOf(edge) - width, rect.top(), width, rect.height()), Qt::AlignRight, it.id);
        }
        return numbersLeft(m_scene, it);
    }

    void meter(const QRectF& rect, double share)
    {
        bar(rect, m_theme.color("line.subtle"));
        if (share > 0.0005) {
            const double width = std::max(2.0, rect.width() * share);
            bar(QRectF(rect.topLeft(), QSizeF(std::round(width * MeterSteps) / MeterSteps, rect.height())), m_theme.color("text.hint"));
        }
    }

    void bar(const QRectF& rect, const QColor& color)
    {
        const QTransform& transform = m_painter.deviceTransform();
        const QPointF at = transform.map(rect.topLeft());
        if (m_painter.paintEngine()->type() == QPaintEngine::Raster && transform.type() <= QTransform::TxTranslate
            && at == QPointF(at.toPoint()))
            m_painter.drawImage(rect.topLeft(), barPixels(rect.size(), color));
        else
            drawBar(m_painter, rect, color);
    }

    static void drawBar(QPainter& painter, const QRectF& rect, const QColor& color)
    {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawRoundedRect(rect, 2, 2);
        painter.setRenderHint(QPainter::Antialiasing, false);
    }

    /// Returns a cached image of a meter's bar by size and colour, because the round ends are most of a meter's cost.
    static const QImage& barPixels(const QSizeF& size, const QColor& color)
    {
        static thread_local QHash<std::pair<int, QRgb>, QImage> known;
        const auto key = std::pair(int(size.width() * MeterSteps), color.rgba());
        if (const auto it = known.constFind(key); it != known.constEnd())
            return *it;
        if (known.size() > 4 * MeterWidth * MeterSteps) // The cache is full of images in the colours of earlier themes, so it is cleared.
            known.clear();
        QImage image(int(std::ceil(size.width())), int(std::ceil(size.height())), QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::transparent);
        QPainter painter(&image);
        drawBar(painter, QRectF(QPointF(), size), color);
        painter.end();
        return *known.insert(key, image);
    }

    QPainter& m_painter;
    const GraphScene& m_scene;
    const Theme& m_theme;
    QFont m_name;
    QFont m_group;
    QFont m_small;
};

} // namespace

QString shareText(double share, bool isLowerBound, bool isBare)
{
    const double value = share * 100;
    if (value <= 0)
        return QString(QChar(0x2013));
    const QString text = (isLowerBound ? QString(QChar(0x2265)) : QString()) + numberText(value, isLowerBound);
    return isBare ? text : text + QStringLiteral(" %");
}

QRectF clockChipOf(const GraphScene& scene, int row, const QRect& rect)
{
    const HostHeading* host = headingOf(scene, row);
    if (!host)
        return {};
    const double middle = rect.top() + rect.height() / 2.0;
    const QRectF chip = clockChip(*host, scene.fonts->bar(), scene.labelWidth - NumberRight, middle);
    const double name = NameLeft + (*scene.rows)[row].depth * indentOf(scene.labelWidth) + BadgeSize + BadgeGap;
    return chip.left() < name + LeastName ? QRectF() : chip;
}

QRect pinButtonOf(const GraphScene& scene, int row, const QRect& rect)
{
    const GraphRow& it = (*scene.rows)[row];
    if (!it.ref.isValid() || it.isHost || it.isHeading || it.drawnAs == RowShape::Frame)
        return {};
    const int right = it.hiddenDepths > 0 ? hiddenDepthsChip(rect).left() : numbersLeft(scene, it);
    return {right - PinGap - PinSize, rect.top() + (rect.height() - PinSize) / 2, PinSize, PinSize};
}

QRect hiddenDepthsChip(const QRect& row)
{
    const int height = std::min(ChipHeight, row.height() - 1);
    return {row.right() + 1 - NumberRight - ChipWidth, row.bottom() - height, ChipWidth, height};
}

void paintLabelColumn(QPainter& painter, const GraphScene& scene) { LabelColumnPainter(painter, scene).paint(); }

} // namespace helio
