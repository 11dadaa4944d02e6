// Actions of the View menu, and their check marks.

#include "app/gui/main_window/main_window.h"
#include "widgets/timeline/graph/time_panels.h"

namespace helio {

void MainWindow::bindViewActions()
{
    TimeArea& area = m_pane->area();
    TimeAxis& axis = area.axis();
    m_actions->on("view.zoom-in", [&axis] { axis.zoomIn(); });
    m_actions->on("view.zoom-out", [&axis] { axis.zoomOut(); });
    m_actions->on("view.pan-left", [&axis] { axis.panLeft(); });
    m_actions->on("view.pan-right", [&axis] { axis.panRight(); });
    m_actions->on("view.fit", [&axis] { axis.fit(); });
    m_actions->on("view.zoom-selection", [&axis] { axis.zoomToSelection(); });
    m_actions->onToggled("view.arrows", [&axis](bool isOn) { axis.setShowsArrows(isOn); });
    m_actions->at("view.arrows").setChecked(axis.showsArrows());
    m_actions->onToggled("view.resting", [&axis](bool isOn) { axis.setHidesResting(isOn); });
    const auto showResting = [this, &axis] { m_actions->at("view.resting").setChecked(axis.hidesResting()); };
    connect(&axis, &TimeAxis::restingChanged, this, showResting);
    showResting();
    m_actions->onToggled("view.light", [&axis](bool isOn) { axis.setShowsLight(isOn); });
    const auto showLight = [this, &axis] { m_actions->at("view.light").setChecked(axis.showsLight()); };
    connect(&axis, &TimeAxis::lightChanged, this, showLight);
    showLight();
    m_actions->on("view.list", [&area] { area.toggleList(); });
    m_actions->on("view.pin", [&area] { area.togglePin(); });
    m_actions->onToggled("view.switches", [&axis](bool isOn) { axis.setShowsAllLinks(isOn); });
    for (TimePanel* panel : area.panels()->panels())
        bindPanel(panel);
    connect(&area, &TimeArea::panelAdded, this, &MainWindow::bindPanel);
    connect(&area, &TimeArea::panelRemoved, this,
            [this](const std::string& id) { m_actions->removePanel("view.panel-" + QString::fromStdString(id)); });
    bindDensity();
    bindTimeFormat();
    for (const QString& id : m_docks->views())
        if (m_actions->contains("view." + id))
            m_actions->on("view." + id, [this, id] { m_docks->show(id); });
    m_actions->onToggled("view.side-docks", [this](bool isOn) { m_docks->setSideShown(isOn); });
    m_actions->onToggled("view.bottom-docks", [this](bool isOn) { m_docks->setBottomShown(isOn); });
    const auto showDocks = [this] {
        m_actions->at("view.side-docks").setChecked(m_docks->isSideShown());
        m_actions->at("view.bottom-docks").setChecked(m_docks->isBottomShown());
    };
    connect(m_docks, &WindowDocks::shownChanged, this, showDocks);
    showDocks();
    const QStringList themes{"view.theme-desktop", "view.theme-dark", "view.theme-light"};
    m_actions->group(themes);
    m_actions->at(themes[int(m_theme.choice())]).setChecked(true);
    for (int i = 0; i < themes.size(); ++i)
        m_actions->on(themes[i], [this, i] { m_theme.choose(Settings::ThemeChoice(i)); });
    m_actions->onToggled("view.full-screen", [this](bool isOn) { isOn ? showFullScreen() : showNormal(); });
}

/// Connects the panel with its action in the menu.
void MainWindow::bindPanel(TimePanel* panel)
{
    TimePanels* panels = m_pane->area().panels();
    const QString id = "view.panel-" + QString::fromStdString(panel->id());
    if (!m_actions->contains(id))
        m_actions->addPanel(id, panel->name(), panel->toolTip());
    QAction* action = &m_actions->at(id);
    const auto show = [action, panels, panel] { action->setChecked(panels->isPanelWanted(panel)); };
    connect(action, &QAction::triggered, panel, [panels, panel](bool isOn) { panels->setPanelVisible(panel, isOn); });
    connect(panels, &TimePanels::wantedChanged, panel, show);
    show();
}

void MainWindow::bindDensity()
{
    const QStringList names{"view.density-compact", "view.density-normal", "view.density-roomy"};
    TimeAxis& axis = m_pane->axis();
    m_actions->group(names);
    for (int i = 0; i < names.size(); ++i)
        m_actions->on(names[i], [&axis, i] { axis.setDensity(Density(i)); });
    const auto show = [this, names, &axis] {
        m_actions->at(names[int(axis.density())]).setChecked(true);
        m_settings.setDensity(int(axis.density()));
    };
    axis.setDensity(Density(m_settings.density()));
    connect(&axis, &TimeAxis::densityChanged, this, show);
    show();
}

void MainWindow::bindTimeFormat()
{
    const QStringList names{"view.time-local", "view.time-utc", "view.time-relative"}; // In the order of TimeFormat::Mode.
    m_actions->group(names);
    for (int i = 0; i < names.size(); ++i)
        m_actions->on(names[i], [this, i] {
            TimeFormat format = context().timeFormat();
            format.mode = TimeFormat::Mode(i);
            m_settings.setTimeMode(i);
            context().setTimeFormat(format);
        });
    TimeFormat format = context().timeFormat();
    format.mode = TimeFormat::Mode(m_settings.timeMode());
    context().setTimeFormat(format);
    m_actions->at(names[m_settings.timeMode()]).setChecked(true);
}

} // namespace helio
