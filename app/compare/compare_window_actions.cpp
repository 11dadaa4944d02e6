// The menus of a comparison.

#include "app/compare/compare_window.h"
#include "app/window/help_sheet.h"
#include "app/window/symbols_dialog.h"
#include "app/window/window_palette.h"
#include "widgets/compare/flame/difference_graph_view.h"
#include "widgets/shell/dock_area.h"
#include "widgets/shell/header_bar.h"
#include "widgets/shell/icons.h"
#include "widgets/shell/omnibox.h"
#include "widgets/shell/status_bar.h"
#include "widgets/theme/themes.h"
#include "widgets/tracks/track_panel.h"

#include <QApplication>
#include <QInputDialog>
#include <QMenuBar>

#include <utility>

namespace helio {

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
    addAction(tr("File"), tr("Save the comparison"), QStringLiteral("Ctrl+S"), [this] { save(m_path); });
    addAction(tr("File"), tr("Save the comparison as\u2026"), QStringLiteral("Ctrl+Shift+S"), [this] { save({}); });
    m_header->menus().findChild<QMenu*>(tr("File"), Qt::FindDirectChildrenOnly)->addActions(m_difference.graph->exports());
    addAction(tr("File"), tr("Symbols\u2026"), {}, [this] {
        if (SymbolsDialog::ask(*this))
            open(comparison(), m_options);
    });
    addAction(tr("File"), tr("Stop reading"), {}, [this] {
        for (const Side side : Sides)
            pane(side).cancel();
    });
    addAction(tr("File"), tr("Close"), QStringLiteral("Ctrl+W"), [this] { close(); });
    addAction(tr("File"), tr("Quit"), QStringLiteral("Ctrl+Q"), [] { QApplication::quit(); });
    addAction(tr("View"), tr("Zoom in"), QStringLiteral("W"), [this] { current().axis().zoomIn(); });
    addAction(tr("View"), tr("Zoom out"), QStringLiteral("S"), [this] { current().axis().zoomOut(); });
    addAction(tr("View"), tr("Pan left"), QStringLiteral("A"), [this] { current().axis().panLeft(); });
    addAction(tr("View"), tr("Pan right"), QStringLiteral("D"), [this] { current().axis().panRight(); });
    QAction* fit = addAction(tr("View"), tr("Fit both"), QStringLiteral("F"), [this] {
        pane(Side::A).axis().fit();
        if (!m_context.link().isLinked())
            pane(Side::B).axis().fit();
    });
    QAction* zoom =
        addAction(tr("View"), tr("Zoom to the selected range"), QStringLiteral("Z"), [this] { current().axis().zoomToSelection(); });
    addAction(tr("View"), tr("Clear the selected range"), QStringLiteral("Esc"), [this] { current().time().setSelection({}); });
    addAction(tr("View"), tr("Differences"), QStringLiteral("F10"), [this] { showDock(m_lower, m_lower->isHidden()); });
    QAction* why = addAction(tr("View"), tr("Why slower"), QStringLiteral("F9"), [this] { showDock(m_side, m_side->isHidden()); });
    QAction* back = addAction(tr("Go"), tr("Back"), QStringLiteral("Alt+Left"), [this] { current().time().back(); });
    QAction* forward = addAction(tr("Go"), tr("Forward"), QStringLiteral("Alt+Right"), [this] { current().time().forward(); });
    QAction* bookmark = addAction(tr("Go"), tr("Put a bookmark"), QStringLiteral("M"), [this] {
        current().navigator().putBookmark();
        m_status->say(tr("A bookmark in %1").arg(current().letter()));
    });
    addAction(tr("Go"), tr("Go to time\u2026"), QStringLiteral("Ctrl+G"), [this] { m_header->omnibox().open(":"); });
    const std::pair<const char*, QAction*> tools[] = {{"back", back}, {"forward", forward},   {"fit", fit},
                                                      {"zoom-in", zoom}, {"bookmark", bookmark}, {"split", why}};
    for (const auto& [icon, action] : tools)
        addTool(icon, action);
    m_cpus = addAction(tr("View"), tr("CPUs above the threads"), {}, [] {});
    m_cpus->setCheckable(true);
    m_cpus->setChecked(true);
    connect(m_cpus, &QAction::toggled, this, [this](bool areShown) {
        for (const Side side : Sides)
            if (TrackPanel* cpus = pane(side).area().rowsPanel(TrackRole::Cpu))
                cpus->setCollapsed(!areShown);
    });
    m_beside = addAction(tr("View"), tr("Side by side"), QStringLiteral("F8"), [this] {
        setBeside(!m_isBeside);
        sayWhereTheLaneIs();
    });
    m_beside->setCheckable(true);
    m_onlyCompared = addAction(tr("View"), tr("Only the threads of what is compared"), QStringLiteral("O"), [this] { filterRows(); });
    m_onlyCompared->setCheckable(true);
    m_onlyCompared->setChecked(true);
    m_linked = addAction(tr("Align"), tr("Linked axes"), QStringLiteral("L"),
                         [this] {
                             m_context.link().setLinked(!m_context.link().isLinked());
                             sayWhereTheLaneIs();
                         });
    m_linked->setCheckable(true);
    m_linked->setChecked(true);
    makeAlignMenu();
    makeCompareMenu();
    QAction* keys = addAction(tr("Help"), tr("Keys and mouse"), QStringLiteral("F1"), [this] { HelpSheet::showOver(*this); });
    QAction* palette = addAction(tr("Help"), tr("Find a command, row or time\u2026"), {}, [this] { m_header->omnibox().open(); });
    palette->setShortcuts({QKeySequence("Ctrl+K"), QKeySequence("Ctrl+Shift+P")});
    keys->setShortcuts({QKeySequence("F1"), QKeySequence("?")});
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

void CompareWindow::makeCompareMenu()
{
    const QString menu = tr("Compare");
    addAction(menu, tr("The selected threads"), QStringLiteral("T"), [this] {
        if (!compareSelectedThreads())
            m_status->say(tr("Select a thread on each side: with axes that are not linked (L), rows are chosen one by one"));
    });
    addAction(menu, tr("Exchange A and B"), {}, [this] {
        Comparison now = comparison();
        std::swap(now.a, now.b);
        std::swap(now.zero.a, now.zero.b);
        open(now, m_options);
    });
}

void CompareWindow::addTool(const char* icon, QAction* action)
{
    const QString keys = action->shortcut().toString(QKeySequence::NativeText);
    action->setToolTip(QStringLiteral("%1 (%2)").arg(action->text(), keys));
    action->setProperty("iconName", QLatin1String(icon));
    const auto dress = [icon, action] { action->setIcon(themedIcon(icon)); };
    connect(&Themes::instance(), &Themes::changed, action, dress);
    dress();
    m_header->addTool(action);
}

void CompareWindow::makePalette()
{
    m_palette = new WindowPalette(*m_header, this);
    for (const Side side : Sides)
        m_palette->add(pane(side));
}

void CompareWindow::sayWhereTheLaneIs()
{
    if (!m_context.link().isLinked())
        m_status->say(tr("Axes apart: B \u2212 A has no lane until L links them again"));
    else if (m_isBeside)
        m_status->say(tr("Side by side: B \u2212 A has no lane until F8 puts A above B again"));
    else
        m_status->say({});
}

} // namespace helio
