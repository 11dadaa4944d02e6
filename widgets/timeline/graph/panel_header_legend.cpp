// Legend in the header of a panel: the meaning of the colours of its bars.

#include "widgets/paint/marks.h"
#include "widgets/theme/themes.h"
#include "widgets/timeline/graph/panel_header.h"

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

/// Returns the left edge of the area for the legend.
int PanelHeader::legendLeft() const
{
    if (const QRect remark = remarkRect(); !remark.isEmpty())
        return remark.right() + 16;
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

/// The first entries matter most: entries without room are left out at the end. `areAll` says if all have room.
std::vector<std::pair<QRect, LegendChip>> PanelHeader::chipRects(bool* areAll) const
{
    constexpr int Gap = 12;
    const QFontMetricsF metrics(fonts().legend());
    const int right = (m_filter->isVisible() ? m_filter->x() : toolsLeft()) - 14;
    const std::vector<LegendChip> legend = shownLegend();
    std::vector<int> widths;
    int all = -Gap;
    for (const LegendChip& chip : legend) {
        widths.push_back(14 + int(metrics.horizontalAdvance(chip.text)));
        all += Gap + widths.back();
    }
    const int dots = Gap + int(metrics.horizontalAdvance(QChar(0x2026)));
    std::size_t shown = legend.size();
    for (int room = right - legendLeft(); shown > 0 && all + (shown < legend.size() ? dots : 0) > room; --shown)
        all -= Gap + widths[shown - 1];
    if (areAll)
        *areAll = shown == legend.size();
    std::vector<std::pair<QRect, LegendChip>> rects;
    int x = right - all - (shown < legend.size() ? dots : 0);
    for (std::size_t i = 0; i < shown; ++i) {
        rects.emplace_back(QRect(x, 0, widths[i], Height), legend[i]);
        x += widths[i] + Gap;
    }
    return rects;
}

QStringList PanelHeader::legendInView() const
{
    QStringList texts;
    for (const auto& [rect, chip] : chipRects())
        texts << chip.text;
    return texts;
}

} // namespace helio
