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

void MainWindow::askAboutPlugins() { m_plugins->look(); }

/// What is open is opened again, at the same place: only what is new is made.
void MainWindow::useLoadedPlugins()
{
    auto analyses = std::make_shared<Analyses>(m_options.analyses ? *m_options.analyses : *Analyses::builtin());
    Plugins::ofUser().addTo(*analyses);
    m_options.analyses = std::move(analyses);
    if (!session().paths().isEmpty())
        openAgain(m_options);
}

} // namespace helio
