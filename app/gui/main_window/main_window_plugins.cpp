// Plug-ins of the plug-in folders.

#include "app/gui/analyses/plugin_list.h"
#include "app/gui/common/plugin_notice.h"
#include "app/gui/common/plugin_notifier.h"
#include "app/gui/main_window/main_window.h"

namespace helio {

QWidget* MainWindow::makePluginNotice()
{
    m_plugins = new PluginNotice(Plugins::ofUser());
    for (const auto decided : {&PluginNotice::loaded, &PluginNotice::forbidden})
        connect(m_plugins, decided, &PluginNotifier::instance(), &PluginNotifier::decided);
    return m_plugins;
}

void MainWindow::askAboutPlugins() { m_plugins->look(); }

/// Handles a decision of the user about a plug-in, in this window or another one.
void MainWindow::useAllowedPlugins()
{
    m_analyses.setBaseAnalyses(withAllowedPlugins(*m_analyses.base(), Plugins::ofUser()));
    listAnalyses();
    runAnalyses();
}

} // namespace helio
