// What the window has to do with plug-ins of the folders.

#include "app/main_window/main_window.h"
#include "app/window/plugin_notice.h"

namespace helio {

QWidget* MainWindow::makePluginNotice()
{
    m_plugins = new PluginNotice(Plugins::ofUser());
    connect(m_plugins, &PluginNotice::loaded, this, &MainWindow::useLoadedPlugins);
    return m_plugins;
}

std::vector<AnalysisEntry> MainWindow::pluginEntries()
{
    std::vector<AnalysisEntry> entries;
    const auto add = [&](const FoundPlugin& plugin, const std::string& id, const std::string& label, const QString& reason) {
        AnalysisEntry entry;
        entry.id = QString::fromStdString(id);
        entry.label = QString::fromStdString(label);
        entry.origin = tr("plug-in");
        entry.isOn = plugin.state == PluginState::Loaded;
        entry.reason = reason;
        entries.push_back(std::move(entry));
    };
    for (const FoundPlugin& plugin : Plugins::ofUser().found()) {
        const QString file = QString::fromStdString(plugin.file.string());
        for (const PluginAnalysisName& analysis : plugin.analyses)
            add(plugin, analysis.id, analysis.title,
                tr("it is loaded; \"heliograph plugins forbid\" keeps it from being loaded again: %1").arg(file));
        if (plugin.analyses.empty())
            add(plugin, plugin.file.string(), plugin.file.filename().string(), QString::fromStdString(plugin.reason) + QStringLiteral(": ") + file);
    }
    return entries;
}

void MainWindow::askAboutPlugins() { m_plugins->look(); }

/// What is open is opened again, at the same place: only what is new is made.
void MainWindow::useLoadedPlugins()
{
    auto analyses = std::make_shared<Analyses>(*m_analyses.base());
    Plugins::ofUser().addTo(*analyses);
    m_analyses.setBaseAnalyses(std::move(analyses));
    m_analyses.addTo(m_options);
    listAnalyses();
    if (!session().paths().isEmpty())
        openAgain(m_options);
}

} // namespace helio
