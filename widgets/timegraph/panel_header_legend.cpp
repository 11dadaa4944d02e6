// The legend in the header of a panel: what the colours of its bars mean.

#include "widgets/paint/marks.h"
#include "widgets/theme/themes.h"
#include "widgets/timegraph/panel_header.h"

#include <QFontMetricsF>
#include <QLineEdit>
#include <QPainter>

#include <algorithm>

namespace helio {

void paintSwatch(QPainter& painter, const QRectF& rect, const StateLook& look, const QColor& ground)
{
    painter.save();
    painter.setPen(Qt::NoPen);
    const double height = look.height <= 2 ? 2 : std::max(3.0, rect.height() * look.height / 16);
    const QRectF bar(rect.left(), rect.bottom() - height, rect.width(), height);
    switch (look.drawing) {
    case Drawing::CutCorner: {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setBrush(look.color);
        const double cut = std::min(4.0, height);
        painter.drawPolygon(
            QPolygonF{{bar.left() + cut, bar.top()}, bar.topRight(), bar.bottomRight(), bar.bottomLeft(), {bar.left(), bar.top() + cut}});
        break;
    }
    case Drawing::Hatched:
        painter.fillRect(bar, mixed(ground, look.color, 0.35));
        paintHatch(painter, bar, look.color, 5, 1.6);
        break;
    case Drawing::Dashed:
    case Drawing::Dotted:
        painter.fillRect(QRectF(bar.left(), bar.top(), bar.width() * 0.4, height), look.color);
        painter.fillRect(QRectF(bar.left() + bar.width() * 0.7, bar.top(), bar.width() * 0.3, height), look.color);
        break;
    case Drawing::Line: painter.fillRect(QRectF(rect.left(), rect.center().y(), rect.width(), 2), look.color); break;
    case Drawing::Plain: painter.fillRect(bar, look.color); break;
    }
    painter.restore();
}

void PanelHeader::setLegendShown(bool isShown)
{
    m_isLegendShown = isShown;
    update();
}

/// Where chips may begin.
int PanelHeader::legendLeft() const
{
    return m_notice && m_notice->isVisible() ? m_notice->geometry().right() + 12 : m_axis.labelWidth() + 8;
}

void PanelHeader::setLegend(std::vector<LegendChip> legend)
{
    m_legend = std::move(legend);
    update();
    emit legendChanged();
}

void PanelHeader::setFurtherLegend(std::vector<LegendChip> legend)
{
    m_furtherLegend = std::move(legend);
    update();
}

std::vector<LegendChip> PanelHeader::shownLegend() const
{
    std::vector<LegendChip> all;
    if (!m_isLegendShown)
        return all;
    for (const LegendChip& chip : m_furtherLegend)
        if (std::ranges::find(m_legend, chip.text, &LegendChip::text) == m_legend.end())
            all.push_back(chip);
    all.insert(all.end(), m_legend.begin(), m_legend.end());
    return all;
}

void PanelHeader::setFocusChip(const QString& text)
{
    m_focusChip = text;
    update();
}

std::vector<std::pair<QRect, LegendChip>> PanelHeader::chipRects() const
{
    std::vector<std::pair<QRect, LegendChip>> rects;
    const QFontMetricsF metrics(fonts().legend());
    int right = (m_filter->isVisible() ? m_filter->x() : toolsLeft()) - 14;
    const std::vector<LegendChip> legend = shownLegend();
    for (auto it = legend.rbegin(); it != legend.rend(); ++it) {
        const int chip = 14 + int(metrics.horizontalAdvance(it->text));
        if (right - chip < legendLeft())
            break; // hidden from the left
        rects.emplace_back(QRect(right - chip, 0, chip, Height), *it);
        right -= chip + 12;
    }
    return rects;
}

} // namespace helio
