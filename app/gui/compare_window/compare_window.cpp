#include "app/gui/compare_window/compare_window.h"

#include "app/gui/common/actions.h"
#include "app/gui/common/file_dialogs.h"
#include "app/gui/common/session_dialogs.h"
#include "app/gui/common/session_position.h"
#include "app/gui/common/symbols_dialog.h"
#include "app/gui/common/window_frame.h"
#include "app/gui/common/window_palette.h"
#include "app/gui/common/window_text.h"
#include "app/gui/compare_window/comparison_actions.h"
#include "app/gui/compare_window/comparison_docks.h"
#include "app/gui/compare_window/selected_rows.h"
#include "app/gui/compare_window/side_clocks.h"
#include "app/gui/compare_window/side_stacks.h"
#include "core/query/rows/rows.h"
#include "widgets/compare/side_frame.h"
#include "widgets/compare/side_names.h"
#include "widgets/compare/why/why_slower_view.h"
#include "widgets/controls/header_bar.h"
#include "widgets/controls/notice_bar.h"
#include "widgets/controls/status_bar.h"
#include "widgets/controls/tab_order.h"
#include "widgets/theme/themes.h"
#include "widgets/timeline/graph/time_graph.h"
#include "widgets/timeline/graph/time_panels.h"
#include "widgets/timeline/overview/overview_strip.h"
#include "widgets/timeline/panels/track_panel.h"

#include <QAction>
#include <QKeyEvent>
#include <QScreen>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace helio {

namespace {

constexpr int LowHeight = 800;
constexpr int StacksUsually = 54; ///< Usual height of the two sides' timelines in percent of the window.
constexpr int StacksAtMost = 75;

} // namespace

CompareWindow::CompareWindow(QWidget* parent)
    : QMainWindow(parent)
    , m_header(new HeaderBar)
    , m_names(new SideNameBar)
    , m_status(new StatusBar)
    , m_notice(new NoticeBar)
    , m_sides{sideOf(Side::A), sideOf(Side::B)}
    , m_context(pane(Side::A).context(), pane(Side::B).context())
    , m_alignment(new AlignmentControl(m_context, this))
{
    setMenuWidget(m_header);
    m_header->setNameWidget(m_names);
    m_docks = new ComparisonDocks(m_context, this);
    m_stacks = new SideStacks(m_context, pane(Side::A), pane(Side::B));
    m_actions = new Actions(comparisonActions(), this, m_stacks);
    m_parts = makeSplitter(Qt::Vertical, {m_stacks, m_docks->widget()});
    m_parts->setSizes({StacksUsually, 100 - StacksUsually});
    connect(m_parts, &QSplitter::splitterMoved, this, [this] { m_isResizedByUser = true; });
    connect(m_stacks, &SideStacks::titledHeightChanged, this, [this] {
        giveCpusRoom();
        distributeHeight();
        updateCpuAction();
    });
    auto* middle = new QWidget;
    auto* lines = makeVerticalLayout(middle);
    lines->addWidget(m_notice);
    for (const Side side : Sides)
        lines->addWidget(part(side).overview);
    lines->addWidget(m_parts, 1);
    lines->addWidget(m_status);
    setCentralWidget(middle);
    makeMenus();
    makePalette();
    m_selected = std::make_unique<SelectedRows>(m_context);
    connect(m_selected.get(), &SelectedRows::remark, m_status, &StatusBar::say);
    for (const Side side : Sides)
        wireSide(side);
    wireAnalyses();
    connect(&m_context.link(), &AxisLink::alignmentChanged, this, &CompareWindow::updateFormats);
    connect(&m_context.link(), &AxisLink::linkedChanged, this, [this] {
        m_actions->at("align.linked").setChecked(m_context.link().isLinked());
        updateNote();
    });
    connect(m_status, &StatusBar::warningsClicked, this,
            [this] { m_docks->showMessages(m_context.a().warnings() > 0 ? Side::A : Side::B); });
    connect(&m_docks->why(), &WhySlowerView::subjectAligned, m_alignment, &AlignmentControl::setOfSubject);
    connect(&m_docks->why(), &WhySlowerView::alignmentRequested, m_alignment,
            [this] { m_alignment->alignBy(AlignmentControl::By::Subject); });
    connect(&m_docks->why(), &WhySlowerView::symbolsRequested, &m_actions->at("file.symbols"), &QAction::trigger);
    connect(m_stacks, &SideStacks::alignedByHand, this, [this] { m_alignment->alignByHand(m_context.link().alignment()); });
    connect(m_alignment, &AlignmentControl::changed, this, &CompareWindow::updateFormats);
    connect(&m_context, &CompareContext::subjectChanged, this, &CompareWindow::filterThreads);
    connect(m_alignment, &AlignmentControl::remark, m_status, &StatusBar::say);
    connect(&JobFailures::instance(), &JobFailures::failed, m_status, &StatusBar::say);
    connect(&Themes::instance(), &Themes::changed, this, &CompareWindow::updateTitles);
    frameWindow(*this, {1600, 1000});
    updateTitles();
    pane(Side::A).showTimes(); // Show the times of A only; if the sides are linked, B shows the same times.
    pane(Side::A).focusRows(); // Focus the rows, because keys would go to the omnibox otherwise.
}

CompareWindow::~CompareWindow()
{
    // Delete widgets that refer to the panes before the panes. Qt would delete child widgets after the members.
    delete m_palette;
    setMenuWidget(nullptr);
    delete takeCentralWidget();
}

bool CompareWindow::focusNextPrevChild(bool isNext) { return focusNextInLayout(*this, isNext); }

/// Handles Esc if no other widget took it, wherever the focus is.
void CompareWindow::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && event->modifiers() == Qt::NoModifier)
        m_actions->at("view.clear-selection").trigger();
    else
        QMainWindow::keyPressEvent(event);
}

void CompareWindow::closeEvent(QCloseEvent* event)
{
    if (m_isPlaced && !confirmCloseAfter(saveComparison(comparison(), Settings::lastSessionPath()), this))
        return event->ignore();
    QMainWindow::closeEvent(event);
}

void CompareWindow::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    m_docks->layOut();
    distributeHeight();
    if (const bool isLow = height() < LowHeight; std::exchange(m_isLow, isLow) != isLow)
        showCpus(!isLow, false); // In a low window, hide the rows of CPUs, so that the rows of the compared threads have enough space.
}

/// Shows or hides the rows of CPUs. If the user requested them (`areAskedFor`), they get the height that they need, otherwise at most the
/// height that the compared threads leave.
void CompareWindow::showCpus(bool areShown, bool areAskedFor)
{
    m_areCpusAskedFor = areShown && areAskedFor;
    for (const Side side : Sides)
        if (TrackPanel* cpus = pane(side).area().rowsPanel(TrackRole::Cpu)) {
            cpus->setCollapsed(!areShown);
            cpus->setWantedHeight(std::nullopt);
        }
    giveCpusRoom();
    updateCpuAction();
}

/// Gives the panels with rows of CPUs the height that all their rows need, if the user asked for these rows and has not set a height.
/// Called again when further rows arrive.
void CompareWindow::giveCpusRoom()
{
    for (const Side side : Sides)
        if (TrackPanel* cpus = pane(side).area().rowsPanel(TrackRole::Cpu);
            cpus && m_areCpusAskedFor && !cpus->wantedHeight() && cpus->naturalHeight() > 0)
            cpus->setWantedHeight(cpus->naturalHeight());
}

/// Enables the action that shows the rows of CPUs if a side has such rows; checks the action if a side shows them.
void CompareWindow::updateCpuAction()
{
    const auto hasCpus = [this](Side side) {
        const auto timeline = contextOf(side).timeline();
        return timeline && !cpus(*timeline).empty();
    };
    const auto isShown = [&](Side side) {
        const TrackPanel* const panel = pane(side).area().rowsPanel(TrackRole::Cpu);
        return hasCpus(side) && panel && panel->isVisible() && panel->height() > 0;
    };
    m_actions->at("view.cpus").setEnabled(std::ranges::any_of(Sides, hasCpus));
    m_actions->at("view.cpus").setChecked(std::ranges::any_of(Sides, isShown));
}

/// Divides the window's height between the timelines (m_parts[0]) and the docks below them (m_parts[1]), unless the user has set the
/// heights. Panels of analyses make the part for the timelines higher, up to StacksAtMost percent.
void CompareWindow::distributeHeight()
{
    const QList<int> sizes = m_parts->sizes();
    const int all = sizes[0] + sizes[1];
    const int usual = all * StacksUsually / 100;
    const int stacks = std::min(usual + m_stacks->titledHeight(), all * StacksAtMost / 100);
    if (!m_isResizedByUser && all > 0)
        m_parts->setSizes({stacks, all - stacks});
}

CompareWindow::Parts CompareWindow::sideOf(Side side)
{
    Parts it;
    it.pane = std::make_unique<ExperimentPane>(*this, *m_status, letterOf(side), &m_changes);
    it.overview = new SideFrame(side, it.pane->area().overview(), nullptr);
    return it;
}

void CompareWindow::setBeside(bool isBeside)
{
    m_stacks->setBeside(isBeside);
    m_actions->at("view.beside").setChecked(isBeside);
    updateNote();
}

void CompareWindow::filterThreads() { m_stacks->filterThreads(m_actions->at("view.only-compared").isChecked()); }

/// Returns the pane of the side that has the keyboard focus; the pane of A if neither side has the focus.
ExperimentPane& CompareWindow::current() { return pane(pane(Side::B).hasFocus() ? Side::B : Side::A); }

void CompareWindow::wireSide(Side side)
{
    ViewContext& context = contextOf(side);
    new SideClocks(context, *m_status, this);
    connect(&context, &ViewContext::timelineChanged, this, [this, side] {
        placeOnce();
        updateTitles();
        m_stacks->frame(side).setTimeline(contextOf(side).timeline());
    });
    connect(&context, &ViewContext::warningsChanged, this, &CompareWindow::updateTitles);
    connect(&m_stacks->frame(side), &SideFrame::messagesRequested, this, [this, side] { m_docks->showMessages(side); });
    connect(&session(side), &Session::stateChanged, this, [this, side] {
        if (session(side).state() == Session::State::Reading)
            rememberOpened(session(side).paths());
        m_context.setSettled(std::ranges::none_of(Sides, [this](Side of) { return pane(of).isBeingRead(); }));
        updateTitles();
    });
    connect(&pane(side), &ExperimentPane::progressChanged, this, &CompareWindow::updateProgress);
    connect(&m_docks->why(), &WhySlowerView::stateChosen, this, [this, side](const QString& legend) {
        for (TimePanel* panel : pane(side).area().panels()->panels())
            panel->setFocusState(legend);
    });
}

void CompareWindow::updateFormats()
{
    for (const Side side : Sides) {
        TimeFormat format = contextOf(side).timeFormat();
        format.mode = TimeFormat::Mode::Relative;
        format.origin = side == Side::A ? m_context.link().alignment().a : m_context.link().alignment().b;
        format.originText = m_alignment->zeroText();
        contextOf(side).setTimeFormat(format);
    }
    updateNote();
}

void CompareWindow::updateTitles()
{
    QStringList names;
    QStringList recordings;
    QString problem;
    for (const Side side : Sides) {
        const Session& it = session(side);
        if (it.state() == Session::State::Failed)
            problem = tr("Cannot open %1.").arg(letterOf(side));
        const auto timeline = contextOf(side).timeline();
        m_stacks->frame(side).setTitle(it.title(), it.state() == Session::State::Opening ? tr("opening \u2026") : QString());
        if (it.state() == Session::State::Failed)
            m_stacks->threads(side).graph()->setEmptyText(problem, plainSentence(it.problem()));
        pane(side).area().overview()->setTitle(it.title(), badgePixmap(side, devicePixelRatioF()));
        names << it.name();
        if (timeline && !recordings.contains(recordingText(*timeline)))
            recordings << recordingText(*timeline);
    }
    m_docks->why().setProblem(problem);
    m_names->setNames(names[0], names[1]);
    const int warnings = m_context.a().warnings() + m_context.b().warnings();
    m_header->setExperiment(recordings.join(tr(" and ")), {}, {}, warnings > 0);
    m_status->setWarnings(warnings, m_context.a().errors() + m_context.b().errors());
    setWindowTitle(tr("%1 (A) vs. %2 (B) - Heliograph").arg(names[0], names[1]));
}

void CompareWindow::updateNote()
{
    if (m_context.a().time().full().isEmpty())
        return;
    const QString how = !m_context.link().isLinked() ? tr("Axes unlinked, aligned at")
        : m_stacks->isBeside()                       ? tr("Side by side, aligned at")
                                                     : tr("Aligned at");
    m_status->setNote(how, m_alignment->zeroText());
}

void CompareWindow::updateProgress()
{
    m_actions->at("file.cancel").setEnabled(std::ranges::any_of(Sides, [this](Side side) { return pane(side).isBeingRead(); }));
    if (std::ranges::none_of(Sides, [this](Side side) { return pane(side).showProgress(); }))
        m_status->endProgress();
}

void showComparison(const Comparison& comparison, const ExperimentOptions& options, const std::vector<std::filesystem::path>& files)
{
    auto* window = new CompareWindow;
    window->setAttribute(Qt::WA_DeleteOnClose);
    // Assumed maximum height of the desktop's window frame in pixels; the window must fit on the screen with its frame.
    constexpr int Frame = 40;
    const QSize room = window->screen()->availableSize();
    window->height() + Frame > room.height() ? window->showMaximized() : window->show();
    window->loadAnalyses(files);
    window->open(comparison, options);
}

void CompareWindow::open(const Comparison& comparison, const ExperimentOptions& options)
{
    m_pending = comparison;
    chooseAnalyses(comparison, options);
    m_isPlaced = false;
    m_selected->setWantsThreads(false);
    m_selected->cancel();
    setBeside(comparison.isBeside);
    m_docks->restore(comparison.layout);
    const ClockSettings given = std::exchange(m_options.clocks, {});
    for (const auto& [side, place] : {std::pair(Side::A, &comparison.a), std::pair(Side::B, &comparison.b)}) {
        ExperimentOptions its = m_options;
        its.clocks = given != ClockSettings() ? given : place->clocks.value_or(given);
        session(side).open(place->traces, withSymbols(std::move(its), place->symbols));
    }
    m_context.setProgram(comparison.program); // If the program is empty, the context chooses a program that ran on both sides.
    m_alignment->setOfSubject({});
    if (comparison.alignBy == AlignmentControl::By::Function && !comparison.function.isEmpty())
        m_alignment->alignByFunction(comparison.function);
    else
        m_alignment->alignBy(comparison.alignBy == AlignmentControl::By::Start ? comparison.alignBy : AlignmentControl::By::Subject);
}

Comparison CompareWindow::comparison() const
{
    auto& self = const_cast<CompareWindow&>(*this);
    Comparison now;
    now.a = positionOf(pane(Side::A));
    now.b = positionOf(pane(Side::B));
    now.program = m_context.program();
    now.comparesThreads = m_context.comparesThreads();
    now.alignBy = m_alignment->by();
    now.function = m_alignment->function();
    now.zero = self.m_context.link().alignment();
    now.isLinked = self.m_context.link().isLinked();
    now.isBeside = m_stacks->isBeside();
    now.layout = m_docks->save();
    now.layout["analyses"] = switchesJson(m_analyses.switches());
    return now;
}

/// Restores the saved state of both sides: visible ranges, selected rows and alignment. Does so once, when the timelines of both sides are
/// known, because the common time axis depends on both.
void CompareWindow::placeOnce()
{
    // Wait until both timelines are known. A side's times are no proof of this: while another experiment is being opened, its timeline is
    // nullptr, but the times of the previous experiment are still set.
    for (const Side side : Sides)
        if (!contextOf(side).timeline() || contextOf(side).time().full().isEmpty())
            return;
    if (std::exchange(m_isPlaced, true))
        return;
    const Comparison& it = m_pending;
    if (it.alignBy == AlignmentControl::By::Hand || it.alignBy == AlignmentControl::By::Bookmarks)
        m_alignment->alignByHand(it.zero);
    m_selected->setWantsThreads(it.comparesThreads);
    // Unlink the time axes of the two sides while their positions are restored, because each side has its own position.
    m_context.link().setLinked(false);
    // Record nothing in the undo history: restoring a stored position is not a change by the user.
    const ChangeHistory::Pause pause(m_changes);
    restorePosition(pane(Side::A), it.a);
    restorePosition(pane(Side::B), it.b);
    m_context.link().setLinked(it.isLinked);
    if (it.alignBy == AlignmentControl::By::Bookmarks)
        m_alignment->alignByBookmarks(); // Align only now, because the bookmarks were restored above.
    if (it.a.cursor == Timestamp())
        m_context.a().time().setCursor(m_context.link().alignment().a);
    updateFormats();
}

void CompareWindow::save(const QString& path)
{
    const QString chosen = path.isEmpty() ? askSessionPath(this, tr("Save comparison"), session(Side::B).paths().value(0)) : path;
    if (chosen.isEmpty())
        return;
    const auto saved = saveComparison(comparison(), chosen);
    if (!saved)
        return m_status->say(QString::fromStdString(saved.error().what));
    m_path = chosen;
    m_settings.addRecent({chosen});
    m_status->say(tr("Saved to %1").arg(chosen));
}

} // namespace helio
