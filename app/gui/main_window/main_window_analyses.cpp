// Analyses of MainWindow from files and plug-ins: the list of analyses, the running analyses, and problems in files.

#include "app/gui/analyses/analyses_menu.h"
#include "app/gui/analyses/analysis_file_actions.h"
#include "app/gui/analyses/analysis_notice.h"
#include "app/gui/analyses/plugin_list.h"
#include "app/gui/common/plugin_notice.h"
#include "app/gui/common/symbols_dialog.h"
#include "app/gui/main_window/main_window.h"
#include "widgets/controls/notice_bar.h"
#include "widgets/timeline/graph/time_panels.h"
#include "widgets/workspace/analysis_list.h"

#include <QMenu>

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <utility>

namespace helio {

namespace {

std::vector<std::filesystem::path> filesOf(const QStringList& paths)
{
    std::vector<std::filesystem::path> files;
    for (const QString& path : paths)
        files.emplace_back(path.toStdString());
    return files;
}

} // namespace

void MainWindow::wireAnalyses()
{
    AnalysisList& list = AnalysisList::of(context());
    m_fileActions = new AnalysisFileActions(*this, *m_status, m_analyses, m_settings, Plugins::ofUser());
    m_fileActions->serve(list);
    m_fileActions->bind(*m_actions);
    connect(m_fileActions, &AnalysisFileActions::made, &list, &AnalysisList::inspect);
    connect(m_fileActions, &AnalysisFileActions::permissionsChanged, this, &MainWindow::useAllowedPlugins);
    connect(&m_analyses, &XmlAnalyses::filesRead, this, &MainWindow::listAnalyses);
    connect(&m_analyses, &XmlAnalyses::changed, this, &MainWindow::runAnalyses);
    connect(&context(), &ViewContext::timelineChanged, this, &MainWindow::listAnalysesOfOpened);
    connect(&session(), &Session::aboutToReplace, this, [this] { m_place = selectedRowPosition(*m_pane); });
    connect(&session(), &Session::replaced, this, [this] { restoreRow(*m_pane, m_place); });
    connect(&list, &AnalysisList::inspectionRequested, this, [this] { m_docks->show("inspector", false); });
    connect(&list, &AnalysisList::askingRequested, this, [this](const QString& plugin) { m_plugins->ask(plugin.toStdString()); });
    connect(m_notice, &NoticeBar::linkActivated, this, &MainWindow::followNotice);
    listAnalyses();
}

void MainWindow::makeAnalysesMenu()
{
    if (QMenu* menu = m_actions->menu("Analysis")) {
        auto* lines = new AnalysesMenu(*menu, m_actions->at("analyse.new"), AnalysisList::of(context()), {}, this);
        lines->setAttributes([this](const QString& view) { return areAttributesShown(view); },
                             [this](const QString& view, bool isShown) { showAttributes(view, isShown); });
    }
}

bool MainWindow::areAttributesShown(const QString& view) const
{
    const TimePanel* panel = m_pane->area().panel(view.toStdString());
    return panel && m_pane->area().panels()->isPanelWanted(panel);
}

void MainWindow::showAttributes(const QString& view, bool isShown) { m_pane->area().setAsked(view.toStdString(), isShown); }

/// Reopens the open traces with the current analyses; the window does not change meanwhile.
void MainWindow::runAnalyses()
{
    m_analyses.addTo(m_options);
    session().reopen(m_options);
}

/// Opens traces. `clocks`, `symbols` and `switches` (of analyses) are from a session; clocks and symbols from the command line take
/// precedence.
void MainWindow::openTraces(const QStringList& paths, const std::optional<ClockSettings>& clocks, const SymbolOptions& symbols,
                            const std::optional<QMap<QString, bool>>& switches)
{
    // The requested views of attributes belong to the previous recording, like its switched-on analyses, so close them for another
    // recording.
    if (paths != session().paths()) {
        for (const std::set<std::string> asked = m_pane->area().asked(); const std::string& view : asked)
            m_pane->area().setAsked(view, false);
        m_recordings.clear();
    }
    m_isFirstGroupShown = false;
    const QSignalBlocker quiet(&m_analyses); // Block changed(), because the traces are opened with these analyses right afterwards.
    m_fileActions->setRecording(paths, switches);
    m_analyses.setTraces(filesOf(paths));
    m_analyses.addTo(m_options);
    ExperimentOptions options = m_options;
    if (const ClockSettings given = std::exchange(m_options.clocks, {}); given == ClockSettings())
        options.clocks = clocks.value_or(given);
    session().open(paths, withSymbols(std::move(options), symbols));
}

/// Updates the list of analyses, but only if the opened traces or analyses have changed since the previous call: the list is slow to make,
/// because each analysis checks all event types.
void MainWindow::listAnalysesOfOpened()
{
    const auto timeline = context().timeline();
    std::vector<const void*> of{timeline ? timeline->analyses.get() : nullptr};
    if (timeline)
        for (const TimelineTrace& t : timeline->traces)
            of.push_back(t.trace.get());
    if (of == m_listedIdentities)
        return;
    m_listedIdentities = std::move(of);
    AnalysisList::of(context()).nextOpened();
    listAnalyses();
}

void MainWindow::listAnalyses()
{
    AnalysisList::of(context()).setTrial(m_analyses.trial());
    std::vector<AnalysisEntry> entries = m_analyses.entries(context().timeline().get());
    std::ranges::move(pluginEntries(*m_analyses.base(), Plugins::ofUser(), m_analyses.switches(), context().timeline().get()),
                      std::back_inserter(entries));
    AnalysisList::of(context()).set(std::move(entries), m_analyses.problems());
    showNotice(*m_notice, m_analyses.problems());
}

void MainWindow::followNotice(const QString& reference)
{
    const AnalysisProblem* first = firstError(m_analyses.problems());
    if (reference == "messages" || !first)
        return context().showView("messages");
    if (reference == "edit")
        return m_fileActions->edit(first->path, first->line);
    AnalysisList& list = AnalysisList::of(context());
    const auto entry = std::ranges::find(list.entries(), first->path, &AnalysisEntry::path);
    if (entry != list.entries().end())
        list.inspect(entry->id);
}

QWidget* MainWindow::makePluginNotice()
{
    m_plugins = new PluginNotice(Plugins::ofUser());
    for (const auto decided : {&PluginNotice::loaded, &PluginNotice::forbidden})
        connect(m_plugins, decided, &PluginNotifier::instance(), &PluginNotifier::decided);
    return m_plugins;
}

void MainWindow::askAboutPlugins() { m_plugins->look(); }

/// Handles a decision of the user about a plug-in, in this or another window.
void MainWindow::useAllowedPlugins()
{
    m_analyses.setBaseAnalyses(withAllowedPlugins(*m_analyses.base(), Plugins::ofUser()));
    listAnalyses();
    runAnalyses();
}

} // namespace helio
