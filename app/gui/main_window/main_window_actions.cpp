// Actions of MainWindow: general actions, View menu, comparisons, clocks and lock statistics.

#include "app/gui/common/file_dialogs.h"
#include "app/gui/common/guide_window.h"
#include "app/gui/common/help_sheet.h"
#include "app/gui/common/lock_stat_files.h"
#include "app/gui/common/open_dialog.h"
#include "app/gui/common/remote_dialog.h"
#include "app/gui/common/session_position.h"
#include "app/gui/common/symbols_dialog.h"
#include "app/gui/common/trace_path.h"
#include "app/gui/common/window_palette.h"
#include "app/gui/compare_window/compare_window.h"
#include "app/gui/main_window/main_window.h"
#include "app/gui/record/record_actions.h"
#include "app/timesync/clock_files.h"
#include "app/timesync/moment_alignment.h"
#include "core/base/version.h"
#include "core/compare/subject.h"
#include "core/event_model/segment_kinds.h"
#include "core/profiling/samples/collect_calls.h"
#include "core/query/rows/estimated_cpu_times.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/frame_text.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/segments/segments.h"
#include "core/remote/remote_address.h"
#include "widgets/compare/calls/call_comparison.h"
#include "widgets/controls/copy_text.h"
#include "widgets/controls/header_bar.h"
#include "widgets/controls/notice_bar.h"
#include "widgets/controls/omnibox.h"
#include "widgets/controls/record_requests.h"
#include "widgets/controls/status_bar.h"
#include "widgets/profiling/sample_model.h"
#include "widgets/time/bookmarks.h"
#include "widgets/timeline/graph/time_graph.h"
#include "widgets/timeline/graph/time_panels.h"
#include "widgets/timeline/overview/overview_strip.h"
#include "widgets/timeline/panels/curves_panel.h"
#include "widgets/workspace/go_to.h"
#include "widgets/workspace/path_choice.h"
#include "widgets/workspace/view_roles.h"

#include <QApplication>
#include <QDir>
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

const QString LockStatDock = QStringLiteral("lock_stat");

} // namespace

void MainWindow::bindFileActions()
{
    m_actions->on("file.open", [this] { open(OpenDialog::ask(tr("Open traces or a session"), this)); });
    m_actions->on("file.open-folder", [this] {
        if (const QString folder = askOpenFolder(this, tr("Open a folder of traces")); !folder.isEmpty())
            open({folder});
    });
    m_actions->on("file.open-remote", [this] {
        QStringList known;
        for (const QString& joined : m_settings.recentFiles())
            for (const QString& path : joined.split('\n'))
                if (isRemote(path.toStdString()) && !known.contains(path))
                    known << path;
        if (const QString address = RemoteDialog::ask(known, *this); !address.isEmpty())
            open({address});
    });
    m_actions->on("file.reopen-last", [this] {
        if (!QFileInfo::exists(Settings::lastSessionPath()))
            return m_status->say(tr("No previous session"));
        dropPosition();
        openSession(Settings::lastSessionPath());
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
        dropPosition();
        closeLockStat();
        session().close();
    });
    m_actions->on("file.quit", [this] { close(); });
}

void MainWindow::bindRecording()
{
    m_record = new RecordActions(*this);
    m_actions->on("file.record", [this] { m_record->record(); });
    connect(m_record, &RecordActions::opened, this, [this](const QString& path) { open({path}); });
    connect(m_record, &RecordActions::closeRequested, this, [this] { m_actions->at("file.close").trigger(); });
    connect(m_record, &RecordActions::said, m_status, &StatusBar::say);
    connect(m_record, &RecordActions::changed, this, &MainWindow::updateProgress);
    RecordRequests::instance().setAvailable(true);
    connect(&RecordRequests::instance(), &RecordRequests::requested, this, [this](const QString& preset, QWidget* from) {
        while (from && from != this) // A floating dock is a window of its own, but a child of its main window.
            from = from->parentWidget();
        if (from)
            m_record->record(preset);
    });
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
    m_recent->addAction(tr("Clear recent"), this, [this] {
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
    m_actions->on("go.why", [this] { context().explainWait(); });
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
    m_actions->on("go.marker-a", [this] { context().bookmarks().putMarker(MarkerA, m_pane->time().cursor()); });
    m_actions->on("go.marker-b", [this] { context().bookmarks().putMarker(MarkerB, m_pane->time().cursor()); });
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
    m_actions->on("analyse.sql", [this] { context().showView(QStringLiteral("sql")); });
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
    m_actions->on("view.clear-selection", [this] { m_pane->axis().dismiss(); });
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
    const bool hasNoRangeSelection = stepRange(context()).isEmpty();
    TimeAxis& axis = m_pane->axis();
    const std::vector<TrackRef> box = axis.boxRows();
    if (row.isValid())
        m_pane->time().setRow(row);
    if (std::ranges::find(box, row) != box.end())
        // Restore the selection of several rows (the box), which setRow() removed: the menu then applies to all rows in it.
        axis.setBoxRows(box);
    m_pane->time().setCursor(time);
    // Select the call below the pointer, because actions of the menu refer to it as "this call". Keep a time range that the user selected.
    if (call && hasNoRangeSelection)
        m_pane->time().setSelection(call->range);
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const bool isFrame = timeline && !call && valueKindOf(*timeline, row) == ValueKind::Frame;
    const auto frame = isFrame ? intervalAt(*timeline, row, time) : std::vector<Interval>();
    fillContextMenu(*menu, row, call.has_value(),
                    frame.empty() ? QString() : QString::fromStdString(frameText(*timeline, row.store, StackId{frame.front().value})));
    menu->popup(at);
}

namespace {

/// True if the row can have states; false for rows that are only headings, for example of a virtual machine.
bool hasStates(const Row& row) { return row.intervals > 0 || row.role != TrackRole::Group; }

} // namespace

void MainWindow::addActions(QMenu& menu, std::initializer_list<const char*> ids)
{
    for (const char* id : ids)
        menu.addAction(&m_actions->at(id));
}

/// Fills the context menu of a row: first actions on the clicked position, last actions on the whole window. `sampledFrame`: name of the
/// function of the sampled frame at the position; empty if there is none.
void MainWindow::fillContextMenu(QMenu& menu, TrackRef row, bool isCall, const QString& sampledFrame)
{
    if (isCall) {
        addCallActions(menu, row);
    } else if (!sampledFrame.isEmpty()) {
        addFrameActions(menu, row, sampledFrame);
    } else if (row.isValid()) {
        const auto timeline = context().timeline();
        const auto found = timeline ? rowOf(*timeline, row) : std::nullopt;
        const bool isOfThread = found && (found->role == TrackRole::Thread || viewOf(*timeline, row) == PathRelation);
        if (found && hasStates(*found))
            menu.addAction(tr("Zoom to state"), this, onGraph(&TimeGraph::zoomToState));
        if (isOfThread)
            addActions(menu, {"go.why", "go.critical-path", "go.waited-for"});
        if (PathChoice::of(context()).question())
            addActions(menu, {"go.no-critical-path", "go.previous-stretch", "go.next-stretch", "view.light", "view.only-path"});
        menu.addSeparator();
        if (isOfThread || (found && found->role == TrackRole::Cpu))
            addActions(menu, {"go.counterpart", "go.follow"});
        menu.addSeparator();
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
    addActions(menu, {"go.copy-time", "go.copy-link", "file.copy-command", "file.export-png", "file.export-svg"});
}

void MainWindow::addFrameActions(QMenu& menu, TrackRef row, const QString& name)
{
    SampleModel& samples = SampleModel::of(context());
    /// Adds an action on the frame's function. The action first selects the samples that measure CPU time, from which the row is made.
    const auto add = [&](const QString& text, const std::function<void(const SampledFunction&)>& run) {
        menu.addAction(text, this, [this, &samples, run] {
            m_pane->navigator().findCalled([this, &samples, run](const SampledFunction& function) {
                if (const auto kind = context().timeline() ? cpuTimeKind(*context().timeline()) : std::nullopt)
                    samples.setKind(kind->name);
                run(function);
            });
        });
    };
    menu.addAction(tr("Zoom to frame"), this, onGraph(&TimeGraph::zoomToState));
    addActions(menu, {"go.source"});
    add(tr("Show callers"), [&samples](const SampledFunction& function) { samples.showCallers(function); });
    add(tr("Show in flame graph"),
        [&samples](const SampledFunction& function) { samples.askFlameGraph(SampleModel::FlameGraphRequest::Find, function); });
    menu.addAction(tr("Copy name"), this, [name] { copyText(name); });
    menu.addSeparator();
    m_pane->area().addRowActions(menu, row);
}

void MainWindow::addCallActions(QMenu& menu, TrackRef row)
{
    menu.addAction(tr("Zoom to call"), this, onGraph(&TimeGraph::zoomToState));
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
    m_actions->onToggled("view.only-path", [&axis](bool isOn) { axis.setShowsOnlyPath(isOn); });
    const auto showOnlyPath = [this, &axis] { m_actions->at("view.only-path").setChecked(axis.showsOnlyPath()); };
    connect(&axis, &TimeAxis::onlyPathChanged, this, showOnlyPath);
    showOnlyPath();
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
            m_actions->on("view." + id, [this, id] { context().showView(id); });
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

/// Connects a panel with the menu action that shows and hides it.
void MainWindow::bindPanel(TimePanel* panel)
{
    if (const auto* curves = qobject_cast<CurvesPanel*>(panel))
        connect(curves, &CurvesPanel::leaksRequested, this,
                [this] { context().showDurations({QString::fromUtf8(UnfreedBlocks.data(), qsizetype(UnfreedBlocks.size()))}); });
    if (!panel->group().empty() && panel->group() != panel->id())
        // The panel belongs to a group of panels that share one menu action. The action was created for another panel: the panel with the
        // group's id.
        return;
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
    // Ids of the actions, in the order of TimeFormat::Mode.
    const QStringList names{"view.time-local", "view.time-utc", "view.time-relative"};
    m_actions->group(names);
    for (int i = 0; i < names.size(); ++i)
        m_actions->on(names[i], [this, i] {
            TimeFormat format = context().timeFormat();
            format.mode = TimeFormat::Mode(i);
            m_settings.setTimeMode(i);
            context().setTimeFormat(format);
        });
    const auto showMode = [this, names] { m_actions->at(names[int(context().timeFormat().mode)]).setChecked(true); };
    connect(&context(), &ViewContext::timeFormatChanged, this, showMode);
    TimeFormat format = context().timeFormat();
    format.mode = TimeFormat::Mode(m_settings.timeMode());
    context().setTimeFormat(format);
    showMode();
}

void MainWindow::bindCompareActions()
{
    m_actions->on("compare.with-files", [this] { compareWith(OpenDialog::ask(tr("Choose traces to compare with, as B"), this)); });
    m_actions->on("compare.with-folder", [this] {
        if (const QString folder = askOpenFolder(this, tr("Choose a folder to compare with, as B")); !folder.isEmpty())
            compareWith({folder});
    });
    m_actions->on("compare.hold", [this] { holdForComparison(); });
    m_actions->on("compare.with-held", [this] { compareWithHeld(); });
    connect(&SampleModel::of(context()), &SampleModel::callComparisonRequested, this, &MainWindow::compareShownCalls);
    m_actions->on("compare.calls", [this] { compareCallsOfSelected(); });
}

void MainWindow::compareWith(const QStringList& paths)
{
    if (paths.isEmpty())
        return;
    if (session().paths().isEmpty())
        return m_status->say(tr("Open a trace first: it becomes A of the comparison"));
    Comparison comparison = comparisonOf(session().paths(), paths);
    comparison.a.clocks = context().clocks().choice();
    showWith(comparison);
}

/// Opens a comparison window with the options of this window, except analyses from files, which the comparison window finds itself.
void MainWindow::showWith(const Comparison& comparison)
{
    ExperimentOptions options = m_options;
    m_analyses.removeFrom(options);
    showComparison(comparison, options, m_analyses.given());
}

/// Compares the calls of a function that the docks show; only calls in the selected range, if the range is not a single call.
void MainWindow::compareShownCalls(const SampledFunction& function)
{
    const SampleModel& samples = SampleModel::of(context());
    const CollectedSamples& shown = samples.shown();
    const auto kind = shown.timeline ? callKind(*shown.timeline, samples.kind()) : std::nullopt;
    if (kind)
        compareCalls(shown.timeline, kind->segments, function,
                     shown.isSelection && !stepRange(context()).isEmpty() ? std::optional(shown.range) : std::nullopt);
}

/// Compares the calls of the function at the cursor on the selected row. If the user selected a range other than the range of this call,
/// compares only the calls in the selected range.
void MainWindow::compareCallsOfSelected()
{
    const TimeWindow& time = m_pane->time();
    const auto timeline = context().timeline();
    const auto call = timeline ? callAt(*timeline, time.row(), time.cursor()) : std::nullopt;
    const TimeRange held = stepRange(context());
    m_pane->navigator().findCalled([this, timeline, call, held](const SampledFunction& function) {
        if (!call)
            return m_status->say(tr("Samples do not record where calls begin and end"));
        compareCalls(timeline, std::string(kindOf(*timeline, *call)), function, held.isEmpty() ? std::nullopt : std::optional(held));
    });
}

void MainWindow::compareCalls(std::shared_ptr<const Timeline> timeline, const std::string& kind, const SampledFunction& function,
                              std::optional<TimeRange> range)
{
    (new CallComparison(std::move(timeline), kind, function, range, this))->show();
}

void MainWindow::holdForComparison()
{
    const SessionState place = positionOf(*m_pane);
    if (place.selection.isEmpty() && place.rowTrace < 0)
        return m_status->say(tr("Select a range, a thread or a call to set as A"));
    m_held = place;
    const auto timeline = context().timeline();
    const TimeWindow& time = m_pane->time();
    const auto call = timeline ? callOf(*timeline, {{}, time.row()}, time.selection()) : std::nullopt;
    if (call)
        m_status->say(tr("Call of %1 set as A. Select another call, then Compare with A")
                          .arg(QString::fromStdString(frameText(*timeline, call->store, call->recorded.stack()))));
    else
        m_status->say(place.selection.isEmpty() ? tr("Thread set as A. Select another thread, then Compare with A")
                                                : tr("Range set as A. Select another range, then Compare with A"));
    updateActions();
}

void MainWindow::compareWithHeld()
{
    if (!m_held)
        return m_status->say(tr("Set a range, a thread or a call as A first"));
    if (const auto comparison = comparePositions(*m_held, positionOf(*m_pane)))
        return showWith(*comparison);
    m_status->say(tr("This is A itself. Select another range, thread or call"));
}

void MainWindow::bindClockActions()
{
    m_momentAlignment = new MomentAlignment(context(), this);
    m_clockNotice->setTask();
    connect(m_clockNotice, &NoticeBar::closed, m_momentAlignment, &MomentAlignment::cancel);
    connect(m_momentAlignment, &MomentAlignment::changed, this, &MainWindow::showMomentAlignment);
    connect(m_clockNotice, &NoticeBar::linkActivated, this, [this](const QString& what) {
        if (what == QLatin1String("align"))
            m_momentAlignment->take();
        else
            m_momentAlignment->cancel();
    });
    m_actions->on("clocks.same-moment", [this] { m_momentAlignment->take(); });
    m_actions->on("clocks.align", [this] { alignAll(); });
    m_actions->on("clocks.import", [this] { importClocks(context()); });
    m_actions->on("clocks.export", [this] { exportClocks(context()); });
}

void MainWindow::showMomentAlignment()
{
    const bool isWaiting = m_momentAlignment->isWaiting();
    m_actions->at("clocks.same-moment").setText(isWaiting ? tr("Match with this event") : tr("Match two events\u2026"));
    QList<QPair<QString, QString>> links;
    if (m_momentAlignment->canAlign())
        links << qMakePair(QStringLiteral("align"), tr("Align"));
    if (isWaiting)
        links << qMakePair(QStringLiteral("cancel"), tr("Cancel (Esc)"));
    m_clockNotice->setNotice(m_momentAlignment->words(), links);
}

void MainWindow::alignAll()
{
    ClockHistory& clocks = context().clocks();
    ClockSettings all = clocks.choice();
    all.hosts.clear();
    if (all == clocks.choice())
        return context().say(tr("No clock was set by hand"));
    clocks.set(std::move(all), tr("alignment of all hosts"));
}

bool MainWindow::hasSeveralHosts()
{
    const auto timeline = context().timeline();
    return timeline && timeline->hosts.size() > 1;
}

void MainWindow::wireLockStat()
{
    LockStatText& text = LockStatText::of(context());
    m_lockStat = new LockStatReader(text, &text); // The reader is a child of the text that it fills, so both are destroyed together.
    connect(&text, &LockStatText::changed, this, [this] {
        updatePage();
        updateHeader();
        updateActions();
    });
}

QString MainWindow::lockStatPath() const { return LockStatText::of(m_pane->context()).path(); }

/// Returns the paths of the open traces, and of the lock_stat text shown with them.
QStringList MainWindow::openedPaths() const
{
    QStringList paths = m_pane->session().paths();
    if (!lockStatPath().isEmpty())
        paths << lockStatPath();
    return paths;
}

/// Opens the first of `texts`, a copy of /proc/lock_stat. If traces could not be opened before, closes them, because their error page would
/// hide the text.
void MainWindow::openLockStat(const QStringList& texts)
{
    if (texts.size() > 1)
        m_status->say(tr("Only one /proc/lock_stat file is shown at a time: %1").arg(texts.front()));
    if (session().state() == Session::State::Failed)
        session().close();
    m_lockStat->read(QFileInfo(texts.front()).absoluteFilePath());
    if (session().state() == Session::State::Empty) {
        m_pane->area().overview()->hide();
        m_docks->setKind(RecordingKind::Untimed, {});
    }
    m_docks->show(LockStatDock);
}

void MainWindow::openLockStatBeside(const QStringList& texts)
{
    openLockStat(texts);
    m_settings.addRecent(openedPaths());
    rememberOpened(openedPaths());
    fillRecentMenu();
}

void MainWindow::closeLockStat()
{
    m_lockStat->close();
    m_docks->closeView(LockStatDock);
}

/// Brings the view of lock_stat to the front if a lock_stat text was opened with the traces. Does nothing while a session restores the
/// layout.
void MainWindow::showLockStatAgain()
{
    if (!lockStatPath().isEmpty() && !m_pending)
        m_docks->show(LockStatDock, false);
}

} // namespace helio
