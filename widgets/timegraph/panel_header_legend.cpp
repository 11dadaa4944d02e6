// The legend in the header of a panel: what the colours of its bars mean.

#include "widgets/paint/marks.h"
#include "widgets/theme/themes.h"
#include "widgets/timegraph/panel_header.h"

#include <QFontMetricsF>
#include <QLineEdit>
#include <QPainter>

#include <algorithm>

namespace helio {

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
