#include "app/window/panel_layout.h"

#include "widgets/timegraph/time_panels.h"

#include <algorithm>

namespace helio {

namespace {

constexpr int Highest = 10'000; ///< Pixels, whatever a file says.

} // namespace

QJsonObject panelLayout(const TimePanels& panels)
{
    QJsonObject all;
    for (TimePanel* panel : panels.panels()) {
        QJsonObject it{{"shown", panels.isPanelWanted(panel)}, {"collapsed", panel->isCollapsed()}};
        if (panel->wantedHeight())
            it["height"] = *panel->wantedHeight();
        all[QString::fromStdString(panel->id())] = it;
    }
    return all;
}

void restorePanelLayout(TimePanels& panels, const QJsonObject& layout)
{
    for (TimePanel* panel : panels.panels()) {
        const QJsonObject it = layout[QString::fromStdString(panel->id())].toObject();
        const int height = std::clamp(it["height"].toInt(), 0, Highest);
        panel->setWantedHeight(height > 0 ? std::optional(height) : std::nullopt);
        panel->setCollapsed(it["collapsed"].toBool());
        panels.setPanelVisible(panel, it["shown"].toBool(true));
    }
}

} // namespace helio
