#include "app/gui/main_window/main_window.h"

#include "app/cli/output/output.h"
#include "app/gui/common/edit_actions.h"
#include "app/gui/common/file_dialogs.h"
#include "app/gui/common/file_job.h"
#include "app/gui/common/lock_stat_files.h"
#include "app/gui/common/position_link.h"
#include "app/gui/common/remote_notice.h"
#include "app/gui/common/session_dialogs.h"
#include "app/gui/common/session_position.h"
#include "app/gui/common/trace_path.h"
#include "app/gui/common/window_frame.h"
#include "app/gui/common/window_palette.h"
#include "app/gui/common/window_text.h"
#include "app/gui/compare_window/compare_window.h"
#include "app/gui/record/record_actions.h"
#include "core/fleet/catalogue.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/recording_groups.h"
#include "widgets/compare/paths/path_comparison.h"
#include "widgets/controls/drop_overlay.h"
#include "widgets/controls/header_bar.h"
#include "widgets/controls/notice_bar.h"
#include "widgets/controls/pages.h"
#include "widgets/controls/status_bar.h"
#include "widgets/controls/tab_order.h"
#include "widgets/eventlist/event_pages.h"
#include "widgets/time/bookmarks.h"
#include "widgets/timeline/graph/axis/ruler.h"
#include "widgets/timeline/graph/time_panels.h"
#include "widgets/timeline/overview/overview_strip.h"
#include "widgets/timeline/panels/track_panel.h"
#include "widgets/workspace/path_choice.h"
#include "widgets/workspace/shown_command.h"
#include "widgets/workspace/view_kind.h"
#include "widgets/workspace/view_roles.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QJsonArray>
#include <QKeyEvent>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QStackedWidget>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace helio {

MainWindow::MainWindow(QWidget* parent)
    : QMainWindow(parent)
    , m_header(new HeaderBar)
    , m_status(new StatusBar)
    , m_pane(std::make_unique<ExperimentPane>(*this, *m_status))
{
    makeParts();
    wireContext();
    wireSession();
    wireLockStat();
    fillPalette();
    bindFileActions();
    bindRecording();
    bindFleet();
    bindViewActions();
    bindGoActions();
    bindTimeActions();
    bindHelpActions();
    bindCompareActions();
    bindClockActions();
    bindExportActions();
    m_actions->fill(*m_header);
    wireRecordings();
    wireAnalyses();
    makeAnalysesMenu();
    fillRecentMenu();
    setAcceptDrops(true);
    frameWindow(*this, {1440, 900});
    if (const QByteArray geometry = m_settings.geometry(); !geometry.isEmpty())
        restoreGeometry(geometry);
    updatePage();
    updateHeader();
    updateActions();
}

MainWindow::~MainWindow()
{
    // Stop receiving signals of the application: while Qt destroys child widgets, it reports focus changes, but the members of this class
    // are already destroyed.
    disconnect(qApp, nullptr, this, nullptr);
    // Delete widgets that refer to the pane before the pane. Qt would delete child widgets after the members.
    delete m_palette;
    setMenuWidget(nullptr);
    delete takeCentralWidget();
}

void MainWindow::makeParts()
{
    TimeArea& area = m_pane->area();
    setMenuWidget(m_header);
    m_docks = new WindowDocks(m_pane->context(), &area);
    m_actions = new Actions(actionTable(), this, &area);
    m_bookmarks = addCounter("bookmarks");
    m_messages = addCounter("messages");
    m_edit = new EditActions(*m_actions, m_pane->context().changes(), *this);
    connect(m_edit, &EditActions::remark, m_status, &StatusBar::say);
    m_page = new EmptyPage;
    m_stack = new QStackedWidget;
    m_stack->addWidget(m_page);
    auto* content = new QWidget; // Widget around the overview and the docks, so that the overview spans the whole width.
    auto* lines = makeVerticalLayout(content);
    m_notice = new NoticeBar;
    m_clockNotice = new NoticeBar;
    m_linkNotice = new NoticeBar;
    m_timesNotice = new NoticeBar;
    m_linkNotice->setCloseTip(tr("Dismiss"));
    for (NoticeBar* notice : {m_notice, m_linkNotice, m_timesNotice, m_clockNotice, static_cast<NoticeBar*>(new RemoteNotice(context()))})
        lines->addWidget(notice);
    lines->addWidget(area.overview());
    lines->addWidget(m_docks, 1);
    m_stack->addWidget(content);
    auto* middle = new QWidget;
    auto* layout = makeVerticalLayout(middle);
    layout->addWidget(makePluginNotice());
    layout->addWidget(m_stack, 1);
    layout->addWidget(m_status);
    setCentralWidget(middle);
    m_drop = new DropOverlay(middle);
    connect(m_page, &EmptyPage::furtherClicked, this, [this](const QString& text) {
        m_actions->at(text == sampleText() ? "file.open-sample" : text == recordText() ? "file.record" : "file.reopen-last").trigger();
    });
    connect(m_page, &EmptyPage::chosen, this, [this](const QString& paths) { open(paths.split('\n')); });
    connect(m_page, &EmptyPage::buttonClicked, this,
            [this] { m_actions->at(session().state() == Session::State::Opening ? "file.cancel" : "file.open").trigger(); });
}

/// Adds a button to the header. The button shows the number of entries of a view; a click opens the view.
QToolButton* MainWindow::addCounter(const char* view)
{
    const auto kinds = builtinViews();
    const auto kind = std::ranges::find_if(kinds, [&](const ViewKind* it) { return QLatin1String(it->id) == QLatin1String(view); });
    QToolButton* const counter = m_header->addCounter((*kind)->icon, tr((*kind)->title));
    m_docks->setAnchor(view, counter);
    connect(counter, &QToolButton::clicked, this, [this, view] { m_docks->show(view); });
    return counter;
}

void MainWindow::wireContext()
{
    ViewContext& context = m_pane->context();
    for (const auto signal : {&TimeWindow::historyChanged, &TimeWindow::selectionChanged, &TimeWindow::rowChanged})
        connect(&context.time(), signal, this, &MainWindow::updateActions);
    connect(&context, &ViewContext::timelineChanged, this, &MainWindow::updateTimeline);
    connect(&context, &ViewContext::warningsChanged, this, [this, &context] {
        m_status->setWarnings(context.warnings(), context.errors());
        m_header->setCount(m_messages, context.warnings(), context.errors() > 0 ? "severity.error" : "severity.warning");
        updateHeader();
    });
    connect(&context, &ViewContext::viewRequested, this, [this](const QString& id) { m_docks->show(id); });
    connect(&context.bookmarks(), &Bookmarks::changed, this, [this, &context] {
        m_status->setNote(tr("A to B"), markerDifferenceText(context.bookmarks()));
        m_header->setCount(m_bookmarks, int(context.bookmarks().all().size()));
    });
    connect(&context, &ViewContext::searchRequested, this, [this] { m_docks->show("events", false); });
    connect(&context, &ViewContext::filterRequested, this, [this] { m_docks->show("events", false); });
    connect(&PathChoice::of(context), &PathChoice::comparisonWanted, this, [this](const PathGroup& a, const PathGroup& b) {
        if (const auto timeline = this->context().timeline())
            (new PathComparison(timeline, a, b, this))->show();
    });
    connect(&context, &ViewContext::actionRequested, this, [this](const QString& id) {
        if (m_actions->contains(id))
            m_actions->at(id).trigger();
    });
    TimeArea& area = m_pane->area();
    const auto measure = [this, &area] {
        const int ruler = area.ruler()->height();
        m_docks->setCentreHeight(ruler + area.panels()->naturalHeight(), ruler + area.panels()->usefulHeight());
    };
    connect(area.panels(), &TimePanels::naturalHeightChanged, this, measure);
    connect(&area, &TimeArea::contextMenuRequested, this, &MainWindow::showContextMenu);
    connect(area.overview(), &OverviewStrip::menuRequested, this, [this](const QPoint& at) {
        auto* menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        addActions(*menu, {"view.fit", "view.zoom-selection", "go.bookmark", "go.copy-time", "go.copy-link"});
        menu->addAction(tr("Copy as command"), this, [this] { copyCommand(overviewCommand()); });
        menu->popup(at);
    });
    connect(m_status, &StatusBar::warningsClicked, this, [this] {
        if (const ViewKind* view = warningsView())
            m_docks->show(view->id);
    });
    connect(m_status, &StatusBar::factClicked, this, [this] { m_docks->show("clocks"); });
    connect(&JobFailures::instance(), &JobFailures::failed, m_status, &StatusBar::say);
    m_pane->showTimes();
}

void MainWindow::updateTimeline()
{
    ViewContext& context = m_pane->context();
    if (const auto timeline = context.timeline()) {
        TimeFormat format = context.timeFormat();
        format.origin = axisRange(*timeline).begin;
        format.hasEpoch = hasEpoch(*timeline);
        // If the clock does not count from 1970 (e.g. it counts from the boot of the host), absolute times mean nothing to the user, so
        // show times relative to the beginning.
        if (!m_kind)
            format.mode = format.hasEpoch ? TimeFormat::Mode(m_settings.timeMode()) : TimeFormat::Mode::Relative;
        context.setTimeFormat(format);
        layOutFor(*timeline);
    } else {
        keepLayout();
        m_kind.reset();
        m_isFirstShown = false;
    }
    updateHeader();
    updateActions();
}

/// Lays out the window for the kind of the timeline's recording, once for each opened experiment.
void MainWindow::layOutFor(const Timeline& timeline)
{
    if (m_kind || timeline.traces.empty())
        return;
    // While a text is being opened, none of its events are known, so nothing says of which kind it is.
    const auto isDescribed = [](const TimelineTrace& it) { return it.trace && it.trace->eventTypes().size() > 0; };
    if (m_pane->isBeingRead() && !isComplete(timeline) && std::ranges::none_of(timeline.traces, isDescribed))
        return;
    m_kind = recordingKind(timeline);
    m_pane->area().overview()->setVisible(*m_kind != RecordingKind::Untimed);
    m_layoutTraces = openedPaths().join('\n');
    QJsonObject remembered = m_settings.layout(*m_kind);
    if (remembered["traces"].toString() != m_layoutTraces) // The dock in front was chosen for another recording.
        remembered.remove("bottom");
    // Rows of threads contain only ticks of the events that the slices show.
    if (TrackPanel* threads = m_pane->area().rowsPanel(TrackRole::Thread))
        threads->setBeginsCollapsed(*m_kind == RecordingKind::Slices && !hasSamples(timeline));
    m_pane->area().panels()->restoreLayout(remembered["panelSizes"].toObject());
    {
        const ChangeHistory::Pause pause(context().changes()); // The remembered layout is no change that the user made.
        m_docks->setKind(*m_kind, remembered);
    }
    showLockStatAgain();
    applyPending();
}

void MainWindow::wireSession()
{
    Session& session = m_pane->session();
    connect(&session, &Session::stateChanged, this, [this, &session] {
        if (session.state() == Session::State::Reading)
            rememberOpened(openedPaths());
        // Add recent files only now, because files that cannot be opened are not added.
        if (session.state() == Session::State::Reading && m_sessionPath.isEmpty()) {
            m_settings.addRecent(openedPaths());
            fillRecentMenu();
        }
        updatePage();
        updateHeader();
        updateActions();
        // Traces without any event are never shown first; the position is said to be outside of them.
        if (session.state() == Session::State::Ready || session.state() == Session::State::Stopped) {
            if (const auto timeline = context().timeline()) {
                layOutFor(*timeline);
                m_record->noteOpened(session.paths(), *timeline);
            }
            goToPosition();
        }
    });
    connect(&session, &Session::firstShown, this, [this] {
        m_isFirstShown = true;
        applyPending();
    });
    connect(&session, &Session::firstShown, this, &MainWindow::goToPosition);
    connect(m_pane.get(), &ExperimentPane::progressChanged, this, &MainWindow::updateProgress);
}

void MainWindow::setExperimentOptions(ExperimentOptions options)
{
    m_options = std::move(options);
    m_analyses.setBase(m_options);
}

void MainWindow::open(const QStringList& paths, const PositionOptions& position)
{
    if (paths.isEmpty())
        return;
    if (paths.size() == 1 && fleet::isCatalogue(paths.front().toStdString()))
        return openFleet(paths.front());
    (void)keepLastSession();
    dropPosition();
    m_position = position;
    if (paths.size() == 1 && paths.front().endsWith(".heliograph"))
        return openSession(paths.front());
    QStringList traces = paths;
    const QStringList lockStats = takeLockStats(traces);
    if (traces.isEmpty())
        return openLockStatBeside(lockStats);
    const bool replacesTraces = !session().paths().isEmpty();
    m_sessionPath.clear();
    m_pending.reset();
    openTraces(tracePaths(traces));
    if (!lockStats.isEmpty())
        openLockStat(lockStats);
    // Close a lock_stat text of the previous traces; without previous traces, keep the text and show it with the new ones.
    else if (replacesTraces)
        closeLockStat();
}

void MainWindow::updatePage()
{
    const Session::State state = session().state();
    const bool isNothing = state == Session::State::Empty && lockStatPath().isEmpty();
    const bool isPage = isNothing || state == Session::State::Opening || state == Session::State::Failed;
    const bool wasPage = m_stack->currentIndex() == 0;
    m_stack->setCurrentIndex(isPage ? 0 : 1);
    if (!isPage) {
        // Focus the rows only when the start page disappears. Later calls, for example when reading ends, must not take the focus away,
        // because the user may be typing.
        if (wasPage)
            m_pane->focusRows();
        return;
    }
    m_page->setFocus(Qt::OtherFocusReason); // Focus the page, because keys would go to the omnibox otherwise.
    if (state == Session::State::Opening) {
        m_page->setText(tr("Opening %1 …").arg(session().title()));
        m_page->setButton(tr("Cancel"));
        m_page->setFurtherButtons({});
        return m_page->setChoices({}, {});
    }
    if (state == Session::State::Failed)
        m_page->setText(tr("Cannot open %1.").arg(session().title()), plainSentence(session().problem()));
    else
        m_page->setText(tr("No trace open. Drop files or folders here, or press Ctrl+O."),
                        tr("For an LTTng trace, choose its folder or the metadata file in it."));
    m_page->setButton(tr("Open…"));
    QStringList further;
    if (m_actions->at("file.open-sample").isEnabled())
        further << sampleText();
    further << recordText();
    if (QFileInfo::exists(Settings::lastSessionPath()))
        further << tr("Reopen last session");
    m_page->setFurtherButtons(further);
    std::vector<EmptyPage::Choice> recent;
    for (const QString& paths : m_settings.recentFiles())
        recent.push_back({traceNames(paths.split('\n')), paths, commonFolder(paths.split('\n'))});
    m_page->setChoices(tr("Recent"), recent);
}

QString MainWindow::sampleText() { return tr("Open sample trace"); }
QString MainWindow::recordText() { return tr("Record\u2026"); }

void MainWindow::updateHeader()
{
    const bool isTextAlone = session().state() == Session::State::Empty && !lockStatPath().isEmpty();
    const QString title = isTextAlone ? QFileInfo(lockStatPath()).fileName() : session().title();
    const auto timeline = context().timeline();
    const QString clocks = timeline ? clocksText(*timeline) : QString();
    m_status->setFact(tr("Clocks"), timeline ? clockAccuracyText(*timeline) : QString(), tr("Show the accuracy of the hosts' clocks"),
                      timeline && !earlyPacketsText(*timeline).isEmpty());
    // True if the clocks are wrong. The header then shows no text about clocks or the recording, but only a warning about the clocks.
    const bool areClocksWrong = timeline && !earlyPacketsText(*timeline).isEmpty();
    m_header->setExperiment(areClocksWrong          ? QString()
                                : !clocks.isEmpty() ? clocks
                                : timeline          ? recordingText(*timeline)
                                                    : QString(),
                            title, timeline ? inaccuracyText(*timeline) : QString(), context().warnings() > 0);
    const QString name = m_sessionPath.isEmpty() ? title : QFileInfo(m_sessionPath).completeBaseName();
    setWindowTitle(name.isEmpty() ? tr("Heliograph") : tr("%1 - Heliograph").arg(name));
}

void MainWindow::updateProgress()
{
    for (FileJob* job : {m_recordingExport, m_report})
        if (job && job->isBusy())
            return m_status->showProgress(job->text(), job->share(), {}, [job] { job->cancel(); });
    if (m_record && m_record->isHidden())
        return m_status->showProgress(tr("Recording"), -1, m_record->progressText(), [this] { m_record->stop(); });
    if (const auto saved = m_exported ? m_exported->savedShare() : std::nullopt)
        m_status->showProgress(tr("Exporting events"), *saved, {}, [events = m_exported] {
            if (events)
                events->cancelSaving();
        });
    else if (!m_pane->showProgress())
        m_status->endProgress();
}

void MainWindow::updateActions()
{
    const Session::State state = session().state();
    const bool isShown = m_stack->currentIndex() == 1;
    // True if the window shows traces; false if it shows only a lock_stat text, which has no times.
    const bool isOpen = isShown && state != Session::State::Empty;
    const auto enable = [&](const char* id, bool isEnabled) { m_actions->at(id).setEnabled(isEnabled); };
    for (const ActionSpec& spec : actionTable()) {
        const QString menu = QString(spec.menu).section('/', 0, 0);
        if (menu == "Edit" || menu == "Go" || menu == "Analysis" || menu == "Compare")
            enable(spec.id, isOpen);
    }
    for (const char* id : {"view.zoom-in", "view.zoom-out", "view.pan-left", "view.pan-right", "view.fit", "view.arrows", "view.switches"})
        enable(id, isOpen);
    for (const char* id : {"file.export-png-1x", "file.export-png", "file.export-png-4x", "file.export-svg", "file.export-recording",
                           "file.save-report", "file.copy-command"})
        enable(id, isOpen);
    for (const char* id : {"file.export-csv", "file.save-session", "file.save-session-as", "file.reload"})
        enable(id, isShown);
    for (const char* id : {"analyse.new", "analyse.load", "analyse.folder"})
        enable(id, true);
    enable("file.reopen-last", QFileInfo::exists(Settings::lastSessionPath()));
    enable("file.close", state != Session::State::Empty || isShown);
    enable("file.recordings", isOpen && m_recordings.size() > 1);
    enable("file.cancel", m_pane->isBeingRead() || !context().hits().isComplete());
    enable("view.zoom-selection", isOpen && !m_pane->time().selection().isEmpty());
    enable("compare.with-held", isOpen && m_held.has_value());
    enable("go.back", isOpen && m_pane->time().canGoBack());
    enable("go.forward", isOpen && m_pane->time().canGoForward());
    enable("edit.copy", true);
    m_edit->update();
    for (const char* id : {"clocks.same-moment", "clocks.align", "clocks.import", "clocks.export"})
        enable(id, isOpen && hasSeveralHosts());
}

bool MainWindow::focusNextPrevChild(bool isNext) { return focusNextInLayout(*this, isNext); }

/// Handles Esc if no other widget took it, wherever the focus is.
void MainWindow::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && event->modifiers() == Qt::NoModifier)
        m_actions->at("view.clear-selection").trigger();
    else
        QMainWindow::keyPressEvent(event);
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!m_record->confirmClose() || !confirmCloseAfter(keepLastSession(), this))
        return event->ignore();
    keepLayout();
    m_settings.setGeometry(saveGeometry());
    QMainWindow::closeEvent(event);
}

namespace {

QStringList localPaths(const QMimeData& dragged)
{
    QStringList paths;
    for (const QUrl& url : dragged.urls())
        if (url.isLocalFile())
            paths << url.toLocalFile();
    return paths;
}

} // namespace

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (!event->mimeData()->hasUrls())
        return;
    event->acceptProposedAction();
    QStringList traces = localPaths(*event->mimeData());
    takeLockStats(traces);
    const bool isBeside = traces.isEmpty() || session().paths().isEmpty();
    const QString open = session().paths().isEmpty() ? QFileInfo(lockStatPath()).fileName() : session().name();
    m_drop->show(m_stack->currentIndex() != 1 ? tr("Drop to open")
                     : isBeside               ? tr("Drop to open together with %1").arg(open)
                                              : tr("Drop to replace %1").arg(open));
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent*) { m_drop->hide(); }

void MainWindow::dropEvent(QDropEvent* event)
{
    m_drop->hide();
    event->acceptProposedAction();
    open(localPaths(*event->mimeData()));
}

SessionState MainWindow::sessionState() const
{
    SessionState state = positionOf(*m_pane);
    state.lockStat = lockStatPath();
    state.filter = filterOfEvents();
    state.layout = layout();
    state.layout["panels"] = m_pane->area().save();
    state.layout["views"] = m_docks->viewStates();
    QJsonArray attributes;
    for (const std::string& view : m_pane->area().asked())
        attributes << QString::fromStdString(view);
    state.layout["attributes"] = attributes;
    state.layout["analyses"] = switchesJson(m_analyses.switches());
    return state;
}

QString MainWindow::filterOfEvents() const
{
    const auto* events = dynamic_cast<const SavedViewState*>(m_docks->view("events"));
    return events ? events->save()["filter"].toString() : QString();
}

QJsonObject MainWindow::layout() const
{
    QJsonObject layout = m_docks->layoutState();
    layout["panelSizes"] = m_pane->area().panels()->layout();
    return layout;
}

/// Restores a layout from a session file. Files of earlier versions of the program lack some members.
void MainWindow::restoreLayout(const QJsonObject& layout)
{
    if (layout.contains("panelSizes"))
        m_pane->area().panels()->restoreLayout(layout["panelSizes"].toObject());
    m_docks->restoreLayoutState(layout);
    if (lockStatPath().isEmpty()) // Hide the lock_stat view, which the layout may contain although there is no text.
        m_docks->closeView(QStringLiteral("lock_stat"));
    m_docks->restoreViewStates(layout["views"].toObject());
}

void MainWindow::keepLayout()
{
    if (!m_kind)
        return;
    QJsonObject kept = layout();
    kept["traces"] = m_layoutTraces;
    m_settings.setLayout(*m_kind, kept);
}

void MainWindow::openSession(const QString& path)
{
    if (const auto comparison = loadComparison(path)) {
        rememberRecent(path);
        return showWith(*comparison);
    }
    auto state = loadSession(path);
    if (!state || (state->traces.isEmpty() && state->lockStat.isEmpty())) {
        closeLockStat();
        m_pane->session().close();
        m_page->setText(tr("Cannot open %1.").arg(QFileInfo(path).fileName()),
                        state ? tr("The session lists no traces.") : QString::fromStdString(state.error().what));
        return;
    }
    const bool isLast = path == Settings::lastSessionPath();
    m_sessionPath = isLast ? QString() : path;
    rememberRecent(path);
    m_pending.reset();
    if (state->traces.isEmpty())
        return openLockStatSession(*state);
    // Analyses that the user switched on or off; undefined in files of earlier versions of the program.
    const QJsonValue switches = state->layout["analyses"];
    openTraces(QStringList(state->traces), state->clocks, state->symbols,
               switches.isObject() ? std::optional(switchesFrom(switches.toObject())) : std::nullopt);
    m_pending = std::move(*state);
    if (m_pending->lockStat.isEmpty())
        closeLockStat();
    else
        openLockStat({m_pending->lockStat});
}

/// Opens a session with a lock_stat text and no traces.
void MainWindow::openLockStatSession(const SessionState& state)
{
    session().close();
    openLockStat({state.lockStat});
    const ChangeHistory::Pause pause(context().changes());
    m_docks->restoreViewStates(state.layout["views"].toObject());
}

void MainWindow::rememberRecent(const QString& path)
{
    if (path == Settings::lastSessionPath())
        return;
    m_settings.addRecent({path});
    fillRecentMenu();
}

/// Restores the session that was opened, once its traces are shown and the window is laid out for them. Called at both moments; the later
/// call restores it, and nothing overwrites the layout of the session afterwards.
void MainWindow::applyPending()
{
    if (!m_pending || !m_kind || !m_isFirstShown)
        return;
    const SessionState state = *std::exchange(m_pending, std::nullopt);
    const ChangeHistory::Pause pause(context().changes());
    restorePosition(*m_pane, state);
    if (!state.layout.isEmpty())
        restoreLayout(state.layout);
    for (const QJsonValue view : state.layout["attributes"].toArray())
        m_pane->area().setAsked(view.toString().toStdString(), true);
    m_pane->area().restore(state.layout["panels"].toObject());
    if (!state.filter.isEmpty() && state.filter != filterOfEvents())
        context().filter(state.filter);
    if (!state.search.isEmpty())
        context().search(state.search);
    m_pane->focusRows(); // Focus the rows, because the user will probably navigate in time next.
}

/// Forgets the position that the command line gave, because it belongs to other traces than those that are opened next.
void MainWindow::dropPosition()
{
    delete m_link;
    m_position = {};
    m_linkNotice->setNotice({}, {});
}

/// Goes to the position that the command line gives, in traces that were just opened.
void MainWindow::goToPosition()
{
    if (m_position.isEmpty())
        return;
    m_link = new PositionLink(*m_pane, std::exchange(m_position, {}));
    connect(m_link, &PositionLink::problem, this, [this](const QString& text) {
        m_linkNotice->setNotice(m_linkNotice->text().isEmpty() ? text : tr("%1. %2").arg(m_linkNotice->text(), text), {});
        warn(text.toStdString());
    });
}

bool MainWindow::saveSessionTo(const QString& path)
{
    if (path.isEmpty())
        return false;
    const auto saved = saveSession(sessionState(), path);
    if (!saved) {
        m_status->say(QString::fromStdString(saved.error().what));
        return false;
    }
    m_sessionPath = path;
    rememberRecent(path);
    updateHeader();
    m_status->say(tr("Saved to %1").arg(path));
    return true;
}

QString MainWindow::suggestedSessionPath() const
{
    return askSessionPath(const_cast<MainWindow*>(this), tr("Save session"), openedPaths().value(0));
}

Status MainWindow::keepLastSession()
{
    if (m_stack->currentIndex() != 1 || openedPaths().isEmpty())
        return Done{};
    Status saved = saveSession(sessionState(), Settings::lastSessionPath());
    if (!saved)
        m_status->say(tr("Cannot save the last session: %1").arg(QString::fromStdString(saved.error().what)));
    return saved;
}

} // namespace helio
