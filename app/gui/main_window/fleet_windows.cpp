#include "app/gui/main_window/fleet_windows.h"

#include "app/gui/common/file_dialogs.h"
#include "app/gui/compare_window/compare_window.h"
#include "app/gui/fleet/fleet_window.h"
#include "app/gui/main_window/main_window.h"

#include <QPointer>

#include <memory>

namespace helio {

namespace {

using Viewers = std::vector<QPointer<MainWindow>>; ///< Windows of the traces that were opened; nullptr for those that were closed.

/// Shows a trace in a window of its own; the one that shows it already, if there is one.
void showTrace(Viewers& viewers, const QString& trace, const ExperimentOptions& options, const std::vector<std::filesystem::path>& files)
{
    std::erase_if(viewers, [](const QPointer<MainWindow>& it) { return it.isNull(); });
    for (const QPointer<MainWindow>& viewer : viewers)
        if (viewer->session().paths() == QStringList{trace}) {
            viewer->raise();
            return viewer->activateWindow();
        }
    auto* const window = new MainWindow;
    window->setAttribute(Qt::WA_DeleteOnClose);
    window->show();
    window->setExperimentOptions(options);
    window->loadAnalyses(files);
    window->open({trace});
    viewers.emplace_back(window);
}

} // namespace

FleetWindow* showFleet(const QString& catalogue, const ExperimentOptions& options, const std::vector<std::filesystem::path>& files)
{
    auto* const window = new FleetWindow;
    window->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(
        window, &FleetWindow::openRequested, window,
        [viewers = std::make_shared<Viewers>(), options, files](const QString& trace) { showTrace(*viewers, trace, options, files); });
    QObject::connect(window, &FleetWindow::comparisonRequested, window,
                     [options, files](const QString& a, const QString& b) { showComparison(comparisonOf({a}, {b}), options, files); });
    window->show();
    window->open(catalogue);
    return window;
}

void MainWindow::bindFleet()
{
    m_actions->on("file.open-fleet", [this] {
        const QString path = askOpenFile(this, tr("Open a catalogue of traces"), tr("Catalogues (*.db);;All files (*)"));
        if (!path.isEmpty())
            openFleet(path);
    });
}

void MainWindow::openFleet(const QString& catalogue)
{
    ExperimentOptions options = m_options;
    m_analyses.removeFrom(options);
    showFleet(catalogue, options, m_analyses.given());
}

} // namespace helio
