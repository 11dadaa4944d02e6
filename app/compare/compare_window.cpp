#include "app/compare/compare_window.h"

#include "app/compare/alignment_control.h"
#include "app/window_text.h"
#include "core/query/facts.h"
#include "core/query/row_lookup.h"
#include "widgets/compare/alignment_gutter.h"
#include "widgets/compare/difference_pages.h"
#include "widgets/compare/side_frame.h"
#include "widgets/compare/why_slower_view.h"
#include "widgets/overview/overview_strip.h"
#include "widgets/shell/dock_area.h"
#include "widgets/shell/header_bar.h"
#include "widgets/shell/icons.h"
#include "widgets/shell/omnibox.h"
#include "widgets/shell/status_bar.h"
#include "widgets/theme/themes.h"
#include "widgets/timegraph/ruler.h"
#include "widgets/timegraph/time_graph.h"
#include "widgets/timegraph/time_panels.h"
#include "widgets/views/time_area.h"

#include <QApplication>
#include <QInputDialog>
#include <QMenuBar>
#include <QScreen>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace helio {

namespace {

constexpr std::array Sides{Side::A, Side::B};
constexpr int WhyWidth = 570;
constexpr int LeastWhy = 400;

QVBoxLayout* linesIn(QWidget* widget)
{
    auto* layout = new QVBoxLayout(widget);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    return layout;
}

QSplitter* splitter(Qt::Orientation orientation, QWidget* first, QWidget* second)
{
    auto* parts = new QSplitter(orientation);
    parts->setHandleWidth(4);
    parts->setChildrenCollapsible(false);
    parts->addWidget(first);
    parts->addWidget(second);
    return parts;
}

} // namespace

CompareWindow::CompareWindow(QWidget* parent)
    : QMainWindow(parent)
    , m_header(new HeaderBar)
    , m_status(new StatusBar)
    , m_alignment(new AlignmentControl(m_context, this))
{
    updateTheme();
    setMenuWidget(m_header);
    m_header->omnibox().hide();
    for (const Side side : Sides)
        makeSide(side);
    m_why = new WhySlowerView(m_context);
    m_side = new DockArea(tr("Comparison"));
    m_side->addPage(QStringLiteral("why-slower"), tr("Why slower"), m_why);
    m_lower = new DockArea(tr("Differences"));
    addDifferencePages(*m_lower, m_context);
    QSplitter* lower = splitter(Qt::Horizontal, m_lower, m_side);
    lower->setStretchFactor(0, 1);
    lower->setSizes({1000, WhyWidth});
    QSplitter* middleParts = splitter(Qt::Vertical, makeStacks(), lower);
    middleParts->setSizes({480, 520});
    auto* middle = new QWidget;
    auto* lines = linesIn(middle);
    for (const Side side : Sides)
        lines->addWidget(part(side).overview);
    lines->addWidget(middleParts, 1);
    lines->addWidget(m_status);
    setCentralWidget(middle);
    makeMenus();
    for (const Side side : Sides)
        wireSide(side);
    connect(&m_context.link(), &AxisLink::alignmentChanged, this, &CompareWindow::updateFormats);
    connect(&m_context.link(), &AxisLink::linkedChanged, this, [this] {
        part(Side::B).area->ruler()->setVisible(!m_context.link().isLinked());
        m_linked->setChecked(m_context.link().isLinked());
        updateStatus();
    });
    connect(m_why, &WhySlowerView::subjectAligned, m_alignment, &AlignmentControl::setOfSubject);
    connect(m_gutter, &AlignmentGutter::alignedByHand, this, [this] { m_alignment->alignByHand(m_context.link().alignment()); });
    connect(m_alignment, &AlignmentControl::changed, this, &CompareWindow::updateFormats);
    connect(m_alignment, &AlignmentControl::remark, m_status, &StatusBar::say);
    for (DockArea* dock : {m_lower, m_side})
        connect(dock, &DockArea::closeRequested, dock, &QWidget::hide);
    connect(&m_desktop, &DesktopTheme::changed, this, &CompareWindow::updateTheme);
    setWindowIcon(QIcon(iconPixmap("logo", theme().color("accent.fill"), 64)));
    const QSize room = screen()->availableSize();
    setMinimumSize(QSize(1024, 600).boundedTo(room));
    resize(QSize(1600, 1000).boundedTo(room));
    updateTitles();
    updateStatus();
}

CompareWindow::~CompareWindow()
{
    // Widgets refer to the contexts: they go first; and what the contexts tell at their own end is told to nobody.
    for (const Side side : Sides) {
        disconnect(&contextOf(side), nullptr, this, nullptr);
        disconnect(&contextOf(side).time(), nullptr, this, nullptr);
    }
    setMenuWidget(nullptr);
    for (const Side side : Sides)
        delete part(side).area; // With its overview, which lies elsewhere.
    delete takeCentralWidget();
    for (const Side side : Sides)
        delete part(side).session;
}

void CompareWindow::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    m_side->setMaximumWidth(std::max(LeastWhy, width() * 2 / 5)); // Time needs the room more.
}

void CompareWindow::makeSide(Side side)
{
    Parts& it = part(side);
    it.session = new Session(contextOf(side));
    it.area = new TimeArea(contextOf(side));
    it.area->setMinimumHeight(120);
    it.overview = new SideFrame(side, it.area->overview(), false);
    it.stack = new SideFrame(side, it.area, true);
}

QWidget* CompareWindow::makeStacks()
{
    auto* stacks = new QWidget;
    auto* lines = linesIn(stacks);
    m_gutter = new AlignmentGutter(m_context.link(), part(Side::A).area->axis());
    lines->addWidget(part(Side::A).stack, 1);
    lines->addWidget(m_gutter);
    lines->addWidget(part(Side::B).stack, 1);
    part(Side::B).area->ruler()->hide(); // A's is for both while the axes are linked.
    for (const Side side : Sides) {
        const Side other = side == Side::A ? Side::B : Side::A;
        connect(&part(side).area->axis(), &TimeAxis::labelWidthChanged, this,
                [this, side, other] { part(other).area->axis().setLabelWidth(part(side).area->axis().labelWidth()); });
    }
    return stacks;
}

QAction* CompareWindow::addAction(const QString& menu, const QString& text, const QString& shortcut, std::function<void()> run)
{
    QMenu* in = m_header->menus().findChild<QMenu*>(menu, Qt::FindDirectChildrenOnly);
    if (!in) {
        in = m_header->menus().addMenu(menu);
        in->setObjectName(menu);
    }
    QAction* action = in->addAction(text, this, std::move(run));
    action->setShortcut(QKeySequence(shortcut));
    QMainWindow::addAction(action);
    return action;
}

void CompareWindow::makeMenus()
{
    addAction(tr("File"), tr("Stop reading"), {}, [this] {
        for (const Side side : Sides)
            session(side).cancel();
    });
    addAction(tr("File"), tr("Close"), QStringLiteral("Ctrl+W"), [this] { close(); });
    addAction(tr("File"), tr("Quit"), QStringLiteral("Ctrl+Q"), [] { QApplication::quit(); });
    addAction(tr("View"), tr("Zoom in"), QStringLiteral("W"), [this] { current().zoomIn(); });
    addAction(tr("View"), tr("Zoom out"), QStringLiteral("S"), [this] { current().zoomOut(); });
    addAction(tr("View"), tr("Pan left"), QStringLiteral("A"), [this] { current().panLeft(); });
    addAction(tr("View"), tr("Pan right"), QStringLiteral("D"), [this] { current().panRight(); });
    addAction(tr("View"), tr("Fit both"), QStringLiteral("F"), [this] {
        part(Side::A).area->fit();
        if (!m_context.link().isLinked())
            part(Side::B).area->fit();
    });
    addAction(tr("View"), tr("Zoom to the selected range"), QStringLiteral("Z"), [this] { current().zoomToSelection(); });
    addAction(tr("View"), tr("Clear the selected range"), QStringLiteral("Esc"), [this] { current().axis().window().setSelection({}); });
    addAction(tr("View"), tr("Differences"), QStringLiteral("F8"), [this] { m_lower->setVisible(!m_lower->isVisible()); });
    addAction(tr("View"), tr("Why slower"), QStringLiteral("F9"), [this] { m_side->setVisible(!m_side->isVisible()); });
    m_linked = addAction(tr("Align"), tr("Linked axes"), QStringLiteral("L"),
                         [this] { m_context.link().setLinked(!m_context.link().isLinked()); });
    m_linked->setCheckable(true);
    m_linked->setChecked(true);
    makeAlignMenu();
}

void CompareWindow::makeAlignMenu()
{
    const QString menu = tr("Align");
    addAction(menu, tr("By the first run of what is compared"), {}, [this] { m_alignment->alignBy(AlignmentControl::By::Subject); });
    addAction(menu, tr("By the first event"), {}, [this] { m_alignment->alignBy(AlignmentControl::By::Start); });
    addAction(menu, tr("By the first sample in a function\u2026"), {}, [this] {
        bool isGiven = false;
        const QString function = QInputDialog::getText(this, tr("Align"), tr("By the first sample in this function on each side:"),
                                                       QLineEdit::Normal, m_alignment->function(), &isGiven);
        if (isGiven && !function.trimmed().isEmpty())
            m_alignment->alignByFunction(function.trimmed());
    });
    addAction(menu, tr("By bookmarks"), {}, [this] { m_alignment->alignByBookmarks(); });
    addAction(menu, tr("By the cursors, where the axes are not linked"), {}, [this] {
        m_alignment->alignByHand({m_context.a().time().cursor(), m_context.b().time().cursor()});
        m_context.link().setLinked(true);
    });
}

/// The side that has the focus; A where none has.
TimeArea& CompareWindow::current()
{
    TimeArea* b = part(Side::B).area;
    return b->isAncestorOf(QApplication::focusWidget()) ? *b : *part(Side::A).area;
}

void CompareWindow::wireSide(Side side)
{
    ViewContext& context = contextOf(side);
    connect(&context, &ViewContext::timelineChanged, this, [this] {
        placeCursorOnce();
        updateTitles();
    });
    connect(&context.time(), &TimeWindow::rowChanged, this, [this, side] { selectMatch(side); });
    for (const auto signal : {&TimeWindow::visibleChanged, &TimeWindow::cursorChanged, &TimeWindow::selectionChanged})
        connect(&context.time(), signal, this, &CompareWindow::updateStatus);
    connect(part(side).session, &Session::stateChanged, this, [this] {
        updateTitles();
        updateProgress();
    });
    connect(part(side).session, &Session::progressChanged, this, &CompareWindow::updateProgress);
    connect(part(side).area, &TimeArea::shownTracesChanged, part(side).session, &Session::prefer);
    connect(m_why, &WhySlowerView::stateChosen, this, [this, side](const QString& state) {
        const QString legend = state.isEmpty() ? QString() : theme().lookOf("thread", state.toStdString()).legend;
        for (const TimePanel* panel : part(side).area->panels()->panels())
            panel->graph()->setFocusState(legend);
    });
}

void CompareWindow::open(const QStringList& a, const QStringList& b, const ExperimentOptions& options)
{
    session(Side::A).open(a, options);
    session(Side::B).open(b, options);
}

/// What the first side was opened with means nothing before the other is there.
void CompareWindow::placeCursorOnce()
{
    if (m_context.a().time().full().isEmpty() || m_context.b().time().full().isEmpty())
        return;
    if (!std::exchange(m_isPlaced, true))
        m_context.a().time().setCursor(m_context.link().alignment().a);
    updateFormats();
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
    updateStatus();
}

void CompareWindow::updateTitles()
{
    QStringList names;
    QString problem;
    for (const Side side : Sides) {
        const Session& it = session(side);
        if (it.state() == Session::State::Failed)
            problem = tr("%1 cannot be opened.").arg(letterOf(side));
        const auto timeline = contextOf(side).timeline();
        const QString remark = it.state() == Session::State::Failed ? plainSentence(it.problem())
            : it.state() == Session::State::Opening                 ? tr("opening \u2026")
            : timeline                                              ? recordingText(*timeline)
                                                                    : QString();
        part(side).stack->setTitle(it.title(), remark);
        names << letterOf(side) + QLatin1Char(' ') + it.title();
    }
    m_why->setProblem(problem);
    m_header->setExperiment({}, names.join(QStringLiteral("   ")));
    setWindowTitle(tr("%1 - Heliograph").arg(names.join(tr(" against "))));
}

void CompareWindow::updateStatus()
{
    const TimeWindow& time = m_context.a().time();
    if (time.full().isEmpty())
        return;
    const TimeFormat& format = m_context.a().timeFormat();
    m_status->setWindow(rangeText(time.visible(), format, digitsFor(time.visible().duration() / 1000)));
    m_status->setSpan(durationText(time.visible().duration()));
    m_status->setSelected(time.selection().isEmpty() ? QString() : durationText(time.selection().duration()));
    m_status->setCursorTime(timeText(time.cursor(), format, 9));
}

void CompareWindow::updateProgress()
{
    for (const Side side : Sides) {
        const Session& it = session(side);
        if (it.state() == Session::State::Reading)
            return m_status->showProgress(tr("Reading %1").arg(letterOf(side)), progressShare(it.progress()), progressText(it.progress()));
    }
    m_status->endProgress();
}

/// The same row on the other side, by process and thread name.
void CompareWindow::selectMatch(Side from)
{
    const Side to = from == Side::A ? Side::B : Side::A;
    const TrackRef chosen = contextOf(from).time().row();
    const auto here = contextOf(from).timeline();
    const auto there = contextOf(to).timeline();
    if (m_isSelecting || !chosen.isValid() || !here || !there)
        return;
    const std::string view(viewOf(*here, chosen));
    const auto mine = rows(*here, view);
    const auto others = rows(*there, view);
    const auto row = std::ranges::find(mine, chosen, &Row::ref);
    if (row == mine.end())
        return;
    for (const RowPair& pair : matchRows(mine, others)) {
        if (pair.a != row - mine.begin() || pair.b < 0)
            continue;
        m_isSelecting = true;
        contextOf(to).time().setRow(others[std::size_t(pair.b)].ref);
        m_isSelecting = false;
        return;
    }
    m_status->say(tr("Only in %1").arg(letterOf(from)));
}

void CompareWindow::updateTheme()
{
    const auto choice = m_settings.theme();
    const bool isDark =
        choice == Settings::ThemeChoice::Desktop ? m_desktop.kind() == Theme::Kind::Dark : choice == Settings::ThemeChoice::Dark;
    Themes::instance().setTheme(isDark ? Theme::Kind::Dark : Theme::Kind::Light);
}

} // namespace helio
