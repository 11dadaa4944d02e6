// Actions of the main window.

#include "app/gui/common/guide_window.h"
#include "app/gui/common/help_sheet.h"
#include "app/gui/common/lock_stat_files.h"
#include "app/gui/common/open_dialog.h"
#include "app/gui/common/symbols_dialog.h"
#include "app/gui/common/trace_path.h"
#include "app/gui/common/window_palette.h"
#include "app/gui/main_window/main_window.h"
#include "core/base/version.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/segments/segments.h"
#include "widgets/controls/header_bar.h"
#include "widgets/controls/omnibox.h"
#include "widgets/controls/status_bar.h"
#include "widgets/profiling/sample_model.h"
#include "widgets/time/markers.h"
#include "widgets/timeline/graph/time_graph.h"
#include "widgets/timeline/graph/time_panels.h"
#include "widgets/workspace/go_to_call.h"
#include "widgets/workspace/menu_provider.h"
#include "widgets/workspace/path_choice.h"
#include "widgets/workspace/searchable.h"

#include <QApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QMenu>
#include <QMessageBox>

#include <algorithm>
#include <utility>

namespace helio {

namespace {

/// Returns the path of a resource that is installed with the program or is in the source tree of the build; empty if there is none.
QString resourcePath(const QString& name)
{
    const QString beside = QCoreApplication::applicationDirPath();
    for (const QString& folder : {beside + "/../share/heliograph/", beside + "/../../../resources/"})
        if (QFileInfo::exists(folder + name))
            return QDir::cleanPath(folder + name);
    return {};
}

constexpr std::pair<const char*, CallSelector> CallActions[] = {{"go.next-call", CallSelector::Next},
                                                                {"go.previous-call", CallSelector::Previous},
                                                                {"go.longest-call", CallSelector::Longest},
                                                                {"go.shortest-call", CallSelector::Shortest},
                                                                {"go.typical-call", CallSelector::Typical}};

} // namespace

void MainWindow::bindFileActions()
{
    m_actions->on("file.open", [this] { open(OpenDialog::ask(tr("Open traces or a session"), this)); });
    m_actions->on("file.open-folder", [this] {
        if (const QString folder = QFileDialog::getExistingDirectory(this, tr("Open a folder of traces")); !folder.isEmpty())
            open({folder});
    });
    m_actions->on("file.reopen-last", [this] {
        if (QFileInfo::exists(Settings::lastSessionPath()))
            openSession(Settings::lastSessionPath());
        else
            m_status->say(tr("There is no last session"));
    });
    const QString sample = resourcePath("samples/workers");
    m_actions->at("file.open-sample").setEnabled(!sample.isEmpty());
    m_actions->on("file.open-sample", [this, sample] { open({sample}); });
    m_actions->on("file.save-session", [this] { saveSessionTo(m_sessionPath.isEmpty() ? suggestedSessionPath() : m_sessionPath); });
    m_actions->on("file.save-session-as", [this] { saveSessionTo(suggestedSessionPath()); });
    m_actions->on("file.cancel", [this] { m_pane->cancel(); });
    m_actions->on("file.reload", [this] {
        if (!lockStatPath().isEmpty())
            m_lockStat->read(lockStatPath());
        if (session().paths().isEmpty())
            return;
        ExperimentOptions options = m_options;
        options.rebuild = true;
        openAgain(std::move(options));
    });
    m_actions->on("file.symbols", [this] {
        if (SymbolsDialog::ask(*this) && !session().paths().isEmpty())
            openAgain(m_options);
    });
    m_actions->on("file.close", [this] {
        (void)keepLastSession();
        m_sessionPath.clear();
        closeLockStat();
        session().close();
    });
    m_actions->on("file.quit", [this] { close(); });
}

void MainWindow::openAgain(ExperimentOptions options)
{
    m_pending = sessionState();
    options.clocks = context().clocks().choice();
    session().open(session().paths(), withSymbols(std::move(options), session().symbols()));
}

void MainWindow::fillRecentMenu()
{
    if (!m_recent) {
        QMenu* file = m_actions->menu("File");
        if (!file)
            return;
        m_recent = new QMenu(tr("Open recent"), this);
        file->insertMenu(&m_actions->at("file.reopen-last"), m_recent);
    }
    m_recent->clear();
    for (const QString& joined : m_settings.recentFiles()) {
        const QStringList paths = joined.split('\n');
        const QString name = paths.size() == 1 ? tracePath(joined) : tr("%1 in %2").arg(traceNames(paths), commonFolder(paths));
        m_recent->addAction(name, this, [this, paths] { open(paths); });
    }
    m_recent->addSeparator();
    m_recent->addAction(tr("Forget these"), this, [this] {
        m_settings.clearRecent();
        fillRecentMenu();
        updatePage();
    });
    m_recent->setEnabled(!m_settings.recentFiles().isEmpty());
}

std::function<void()> MainWindow::onGraph(std::function<void(TimeGraph&)> run)
{
    return [this, run = std::move(run)] {
        if (TimeGraph* graph = m_pane->area().graph())
            run(*graph);
    };
}

void MainWindow::bindGoActions()
{
    Navigator& navigator = m_pane->navigator();
    TimeWindow& time = m_pane->time();
    m_actions->on("go.back", [&time] { time.back(); });
    m_actions->on("go.forward", [&time] { time.forward(); });
    m_actions->on("go.time", [this] { m_header->omnibox().open(":"); });
    m_actions->on("go.why", [this] { context().showView(QStringLiteral("why")); });
    m_actions->on("go.critical-path", [this] { PathChoice::of(context()).follow(m_pane->time().row()); });
    m_actions->on("go.waited-for", [this] {
        PathChoice::of(context()).follow(m_pane->time().row());
        context().showView(QStringLiteral("waited_for"));
    });
    m_actions->on("go.no-critical-path", [this] { PathChoice::of(context()).setQuestion({}); });
    m_actions->on("go.next-stretch", [&navigator] { navigator.stepPath(true); });
    m_actions->on("go.previous-stretch", [&navigator] { navigator.stepPath(false); });
    m_actions->on("go.next-arrow", onGraph([](TimeGraph& graph) { graph.followArrow(true); }));
    m_actions->on("go.previous-arrow", onGraph([](TimeGraph& graph) { graph.followArrow(false); }));
    m_actions->on("go.counterpart", [this] { m_pane->area().goToCounterpart(); });
    m_actions->onToggled("go.follow", [this](bool isOn) { m_pane->area().setFollows(isOn); });
    m_actions->on("go.next-bookmark", [&navigator] { navigator.stepBookmark(true); });
    m_actions->on("go.previous-bookmark", [&navigator] { navigator.stepBookmark(false); });
    for (const auto& [id, step] : CallActions)
        m_actions->on(id, [&navigator, step = step] { navigator.stepCall(step); });
    m_actions->on("go.source", [this, &navigator] {
        navigator.findCalled([this](const SampledFunction& function) { SampleModel::of(context()).openSource(function); });
    });
    m_actions->on("go.bookmark", [&navigator] { navigator.putBookmark(); });
    m_actions->on("go.marker-a", [this] { putMarker(context().bookmarks(), MarkerA, m_pane->time().cursor()); });
    m_actions->on("go.marker-b", [this] { putMarker(context().bookmarks(), MarkerB, m_pane->time().cursor()); });
    m_actions->on("go.bookmark-name", [this] {
        bool isGiven = false;
        const QString name = QInputDialog::getText(this, tr("Bookmark"), tr("Name"), QLineEdit::Normal, {}, &isGiven);
        if (isGiven)
            m_pane->navigator().putBookmark(name.left(200));
    });
    m_actions->on("analyse.search", [this] {
        if (Searchable* view = searchableAround(QApplication::focusWidget()))
            return view->focusSearch();
        context().search(context().hits().text());
    });
    m_actions->on("analyse.next-hit", [&navigator] { navigator.stepHit(true); });
    m_actions->on("analyse.previous-hit", [&navigator] { navigator.stepHit(false); });
    m_actions->on("analyse.clear-search", [this] { context().search({}); });
    m_actions->on("analyse.filter", [this] { context().filter(filterOfEvents()); });
    m_actions->on("analyse.filter-rows", [this] {
        const TimePanels& panels = *m_pane->area().panels();
        const auto& all = panels.panels();
        const auto under = std::ranges::find_if(all, [](const TimePanel* panel) { return panel->underMouse(); });
        if (TimePanel* panel = under == all.end() ? panels.current() : *under)
            panel->header()->openFilter();
    });
}

void MainWindow::bindTimeActions()
{
    m_actions->on("view.clear-selection", [this] { m_pane->time().setSelection({}); });
    m_actions->on("go.next-state", [this] { m_pane->area().stepChange(true); });
    m_actions->on("go.previous-state", [this] { m_pane->area().stepChange(false); });
    m_actions->on("go.next-row", onGraph(&TimeGraph::nextRow));
    m_actions->on("go.previous-row", onGraph(&TimeGraph::previousRow));
    m_actions->on("go.next-event", [this] { m_pane->navigator().stepEvent(true); });
    m_actions->on("go.previous-event", [this] { m_pane->navigator().stepEvent(false); });
}

void MainWindow::bindHelpActions()
{
    m_actions->on("help.palette", [this] { m_header->omnibox().open(); });
    m_actions->on("help.habits", [this] { HelpSheet::showOver(*this, actionTable()); });
    const QString guide = resourcePath("guide");
    m_actions->at("help.guide").setEnabled(!guide.isEmpty());
    m_actions->on("help.guide", [this, guide] { GuideWindow::showOver(*this, guide); });
    m_actions->on("help.about", [this] {
        QMessageBox::about(this, tr("About Heliograph"),
                           tr("<b>Heliograph %1</b><br>A timeline trace viewer for Linux performance work.").arg(version()));
    });
}

void MainWindow::fillPalette()
{
    m_palette = new WindowPalette(*m_header, this);
    m_palette->add(*m_pane);
    m_palette->setSearches(true);
    for (const QString& id : m_docks->views())
        if (auto* view = dynamic_cast<MenuProvider*>(m_docks->view(id)))
            m_palette->addMenu(m_docks->view(id)->accessibleName(), [this, view, id](QMenu& menu) {
                view->fillOfferedMenus(menu);
                connect(&menu, &QMenu::triggered, m_docks, [this, id] { m_docks->show(id, false); });
            });
}

void MainWindow::showContextMenu(const QPoint& at, TrackRef row, Timestamp time)
{
    const auto timeline = context().timeline();
    const auto call = timeline && row.isValid() ? callAt(*timeline, row, time) : std::nullopt;
    const bool isFree = stepRange(context()).isEmpty();
    if (row.isValid())
        m_pane->time().setRow(row);
    m_pane->time().setCursor(time);
    if (call && isFree) // The menu's "this call" means the call below the pointer.
        m_pane->time().setSelection(call->range);
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    fillContextMenu(*menu, row, call.has_value());
    menu->popup(at);
}

namespace {

/// True if the row is not just a heading, for example of a virtual machine.
bool hasStates(const Timeline* timeline, TrackRef row)
{
    const auto found = timeline ? rowOf(*timeline, row) : std::nullopt;
    return found && (found->intervals > 0 || found->role != TrackRole::Group);
}

} // namespace

void MainWindow::addActions(QMenu& menu, std::initializer_list<const char*> ids)
{
    for (const char* id : ids)
        menu.addAction(&m_actions->at(id));
}

/// Adds actions on the clicked position first, actions on the whole window last.
void MainWindow::fillContextMenu(QMenu& menu, TrackRef row, bool isCall)
{
    if (isCall) {
        addCallActions(menu, row);
    } else if (row.isValid()) {
        if (hasStates(context().timeline().get(), row)) {
            menu.addAction(tr("Zoom to state"), this, onGraph(&TimeGraph::zoomToState));
            addActions(menu, {"go.why", "go.critical-path", "go.waited-for"});
            if (PathChoice::of(context()).question())
                addActions(menu, {"go.no-critical-path", "go.previous-stretch", "go.next-stretch", "view.light"});
            menu.addSeparator();
            addActions(menu, {"go.counterpart", "go.follow"});
            menu.addSeparator();
        }
        m_pane->area().addRowActions(menu, row);
    }
    if (row.isValid() && hasSeveralHosts())
        addActions(menu, {"clocks.same-moment"});
    menu.addSeparator();
    m_pane->area().addPanelActions(menu);
    menu.addSeparator();
    addActions(menu, {"view.zoom-selection", "view.fit", "go.bookmark", "go.bookmark-name"});
    if (!isCall)
        addActions(menu, {"go.previous-arrow", "go.next-arrow"});
    addActions(menu, {"view.events", "view.details"});
    menu.addSeparator();
    addActions(menu, {"go.copy-time", "file.copy-command", "file.export-png", "file.export-svg"});
}

void MainWindow::addCallActions(QMenu& menu, TrackRef row)
{
    menu.addAction(tr("Zoom to this call"), this, onGraph(&TimeGraph::zoomToState));
    addActions(menu, {"go.source"});
    QMenu* go = menu.addMenu(tr("Go to"));
    for (const auto& [id, step] : CallActions)
        go->addAction(&m_actions->at(id));
    go->addSeparator();
    addActions(*go, {"go.previous-arrow", "go.next-arrow", "go.counterpart", "go.follow"});
    QMenu* compare = menu.addMenu(tr("Compare"));
    addActions(*compare, {"compare.calls"});
    compare->addSeparator();
    addActions(*compare, {"compare.hold", "compare.with-held"});
    menu.addSeparator();
    m_pane->area().addRowActions(menu, row);
}

} // namespace helio
