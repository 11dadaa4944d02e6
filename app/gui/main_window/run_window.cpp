#include "app/gui/main_window/run_window.h"

#include "app/cli/command.h"
#include "app/cli/command_line.h"
#include "app/cli/output/output.h"
#include "app/gui/compare_window/compare_window.h"
#include "app/gui/main_window/fleet_windows.h"
#include "app/gui/main_window/main_window.h"
#include "app/gui/meters/meters.h"
#include "app/gui/meters/report.h"
#include "core/base/version.h"
#include "core/fleet/catalogue.h"
#include "widgets/eventlist/event_list.h"
#include "widgets/timeline/graph/time_graph.h"

#include <QJsonObject>

#include <algorithm>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace helio {

namespace {

/// Adds the state of the event table to a line of the test report (Report).
void addEvents(MainWindow& window, QJsonObject& line)
{
    QWidget* view = window.docks().view("events");
    auto* list = view ? view->findChild<EventList*>() : nullptr;
    if (!list)
        return;
    line["events"] = qint64(list->pages().size());
    line["eventRow"] = list->current() ? qint64(*list->current()) : -1;
    if (const auto row = list->current() ? list->pages().row(*list->current()) : nullptr)
        line["eventTime"] = QString::number(nanoseconds(row->time));
}

QStringList namesOf(const std::vector<std::filesystem::path>& paths)
{
    QStringList names;
    for (const auto& path : paths)
        names << QString::fromStdString(path.string());
    return names;
}

/// Returns the comparison in the arguments: two lists of traces, or a file with a comparison; nullopt if there is none.
std::optional<Comparison> comparisonIn(const WindowArguments& arguments)
{
    const QStringList traces = namesOf(arguments.traces);
    if (!arguments.compared.empty())
        return comparisonOf(namesOf(arguments.compared), traces);
    if (traces.size() != 1 || !traces.front().endsWith(".heliograph"))
        return {};
    auto comparison = loadComparison(traces.front());
    return comparison ? std::optional(std::move(*comparison)) : std::nullopt;
}

} // namespace

bool canStartThreads()
{
    // Qt paints with at most one thread for each core; the other threads read traces and answer queries.
    constexpr unsigned OtherThreads = 8;
    std::mutex mutex;
    std::vector<std::jthread> threads;
    const std::lock_guard lock(mutex); // Keeps the threads from ending before all are started.
    try {
        while (threads.size() < std::max(1U, std::thread::hardware_concurrency()) + OtherThreads)
            threads.emplace_back([&mutex] { const std::lock_guard wait(mutex); });
    } catch (const std::exception&) {
        return false;
    }
    return true;
}

int runWindow(int argc, char** argv)
{
    if (!canStartThreads()) {
        warn("cannot open a window: the system refuses more threads; raise the limit on processes (ulimit -u, or pids.max of the cgroup)");
        return ExitInput;
    }
    const WindowArguments arguments = windowArguments(argc, argv);
    std::vector<char*> ofQt = qtArguments(argc, argv);
    int count = int(ofQt.size());
    ofQt.push_back(nullptr); // Qt expects argv to end with nullptr.
    MeteredApplication app(count, ofQt.data());
    QApplication::setApplicationName("heliograph");
    QApplication::setApplicationDisplayName("Heliograph");
    QApplication::setApplicationVersion(version());
    QApplication::setOrganizationName("heliograph");
    QApplication::setDesktopFileName("heliograph");

    if (const auto comparison = comparisonIn(arguments)) {
        showComparison(*comparison, arguments.experiment, arguments.analysisFiles);
        return QApplication::exec();
    }
    if (arguments.compared.empty() && arguments.traces.size() == 1 && fleet::isCatalogue(arguments.traces.front())) {
        showFleet(namesOf(arguments.traces).front(), arguments.experiment, arguments.analysisFiles);
        return QApplication::exec();
    }
    MainWindow window;
    std::unique_ptr<Report> report;
    if (const QString path = qEnvironmentVariable("HELIOGRAPH_REPORT"); !path.isEmpty()) {
        report = std::make_unique<Report>(path, window.context(), window.session(), [&](QJsonObject& line) { addEvents(window, line); });
        if (auto* list = window.docks().view("events") ? window.docks().view("events")->findChild<EventList*>() : nullptr) {
            QObject::connect(list, &EventList::chosen, report.get(), &Report::touch);
            QObject::connect(list, &EventList::currentChanged, report.get(), &Report::touch);
            QObject::connect(&list->pages(), &EventPages::sizeChanged, report.get(), &Report::touch);
            QObject::connect(&list->pages(), &EventPages::changed, report.get(), &Report::touch);
        }
    }
    window.show();
    window.setExperimentOptions(arguments.experiment);
    window.loadAnalyses(arguments.analysisFiles);
    window.open(namesOf(arguments.traces), arguments.position);
    window.askAboutPlugins();
    std::unique_ptr<StallMeter> stalls;
    if (qEnvironmentVariableIsSet("HELIOGRAPH_STALLS"))
        QTimer::singleShot(0, &window, [&] { stalls = std::make_unique<StallMeter>(); });
    std::unique_ptr<FrameMeter> frames;
    if (const QString path = qEnvironmentVariable("HELIOGRAPH_FRAMES"); !path.isEmpty()) {
        frames = std::make_unique<FrameMeter>(path, [graphs = window.findChildren<TimeGraph*>()] {
            return std::ranges::all_of(graphs, [](const TimeGraph* graph) { return !graph->isVisible() || graph->isIdle(); });
        });
        app.setMeter(frames.get());
    }
    const int status = QApplication::exec();
    app.setMeter(nullptr);
    return status;
}

} // namespace helio
