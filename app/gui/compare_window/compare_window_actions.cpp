// Actions of the comparison window.

#include "app/gui/common/actions.h"
#include "app/gui/common/help_sheet.h"
#include "app/gui/common/symbols_dialog.h"
#include "app/gui/common/window_palette.h"
#include "app/gui/compare_window/compare_window.h"
#include "app/gui/compare_window/comparison_actions.h"
#include "app/gui/compare_window/comparison_docks.h"
#include "app/gui/compare_window/selected_rows.h"
#include "app/gui/compare_window/side_stacks.h"
#include "app/timesync/clock_undo.h"
#include "widgets/controls/header_bar.h"
#include "widgets/controls/omnibox.h"
#include "widgets/controls/status_bar.h"
#include "widgets/timeline/panels/track_panel.h"

#include <QApplication>
#include <QInputDialog>
#include <QMenu>
#include <QMenuBar>

#include <utility>

namespace helio {

void CompareWindow::makeMenus()
{
    for (const char* id : {"view.only-compared", "align.linked"})
        m_actions->at(id).setChecked(true);
    bindFileActions();
    bindViewActions();
    bindGoActions();
    bindAlignActions();
    bindCompareActions();
    m_actions->on("help.habits", [this] { HelpSheet::showOver(*this, comparisonActions()); });
    m_actions->on("help.palette", [this] { m_header->omnibox().open(); });
    m_actions->fill(*m_header);
    connect(m_actions->menu("View"), &QMenu::aboutToShow, this, &CompareWindow::updateCpuAction);
    m_actions->menu("File")->insertActions(&m_actions->at("file.symbols"), m_docks->exports());
}

void CompareWindow::bindFileActions()
{
    m_actions->on("file.save", [this] { save(m_path); });
    m_actions->on("file.save-as", [this] { save({}); });
    m_actions->on("file.symbols", [this] {
        if (SymbolsDialog::ask(*this))
            open(comparison(), m_base);
    });
    m_actions->on("file.cancel", [this] {
        for (const Side side : Sides)
            pane(side).cancel();
    });
    m_actions->on("file.close", [this] { close(); });
    m_actions->on("file.quit", [] { QApplication::quit(); });
}

void CompareWindow::bindViewActions()
{
    m_actions->on("view.zoom-in", [this] { current().axis().zoomIn(); });
    m_actions->on("view.zoom-out", [this] { current().axis().zoomOut(); });
    m_actions->on("view.pan-left", [this] { current().axis().panLeft(); });
    m_actions->on("view.pan-right", [this] { current().axis().panRight(); });
    m_actions->on("view.fit", [this] {
        pane(Side::A).axis().fit();
        if (!m_context.link().isLinked())
            pane(Side::B).axis().fit();
    });
    m_actions->on("view.zoom-selection", [this] { current().axis().zoomToSelection(); });
    m_actions->on("view.clear-selection", [this] { current().time().setSelection({}); });
    m_actions->on("view.differences", [this] { m_docks->toggleDifferences(); });
    for (const Side side : Sides)
        m_actions->on(side == Side::A ? QStringLiteral("view.clocks-a") : QStringLiteral("view.clocks-b"), [this, side] {
            if (!m_docks->showClocks(side))
                m_status->say(tr("All traces of %1 are of one host: there are no clocks to relate").arg(letterOf(side)));
        });
    m_actions->on("view.why-slower", [this] { m_docks->toggleWhySlower(); });
    m_actions->onToggled("view.cpus", [this](bool areShown) { showCpus(areShown, true); });
    const QStringList themes{"view.theme-desktop", "view.theme-dark", "view.theme-light"};
    m_actions->group(themes);
    m_actions->at(themes[int(m_theme.choice())]).setChecked(true);
    for (int i = 0; i < themes.size(); ++i)
        m_actions->on(themes[i], [this, i] { m_theme.choose(Settings::ThemeChoice(i)); });
    m_actions->on("view.beside", [this] {
        setBeside(!m_stacks->isBeside());
        explainDifferenceLane();
    });
    m_actions->on("view.only-compared", [this] { filterThreads(); });
}

void CompareWindow::bindGoActions()
{
    m_actions->on("go.back", [this] { current().time().back(); });
    m_actions->on("go.forward", [this] { current().time().forward(); });
    m_actions->on("go.bookmark", [this] {
        current().navigator().putBookmark();
        m_status->say(tr("A bookmark in %1").arg(current().letter()));
    });
    m_actions->on("go.time", [this] { m_header->omnibox().open(":"); });
}

void CompareWindow::bindAlignActions()
{
    m_actions->on("align.linked", [this] {
        m_context.link().setLinked(!m_context.link().isLinked());
        explainDifferenceLane();
    });
    m_actions->on("align.by-run", [this] { m_alignment->alignBy(AlignmentControl::By::Subject); });
    m_actions->on("align.by-event", [this] { m_alignment->alignBy(AlignmentControl::By::Start); });
    m_actions->on("align.by-function", [this] {
        bool isGiven = false;
        const QString function = QInputDialog::getText(this, tr("Align"), tr("By the first sample in this function on each side:"),
                                                       QLineEdit::Normal, m_alignment->function(), &isGiven);
        if (isGiven && !function.trimmed().isEmpty())
            m_alignment->alignByFunction(function.trimmed());
    });
    m_actions->on("align.by-bookmarks", [this] { m_alignment->alignByBookmarks(); });
    m_actions->on("align.by-cursors", [this] {
        m_alignment->alignByHand({m_context.a().time().cursor(), m_context.b().time().cursor()});
        m_context.link().setLinked(true);
    });
    new ClockUndo(m_actions->at("align.undo"), m_actions->at("align.redo"),
                  {&pane(Side::A).context().clocks(), &pane(Side::B).context().clocks()}, this);
}

void CompareWindow::bindCompareActions()
{
    m_actions->on("compare.threads", [this] {
        if (!m_selected->compareThreads())
            m_status->say(tr("Select a thread on each side: with axes that are not linked (L), rows are chosen one by one"));
    });
    m_actions->on("compare.exchange", [this] {
        Comparison now = comparison();
        std::swap(now.a, now.b);
        std::swap(now.zero.a, now.zero.b);
        open(now, m_base);
    });
}

void CompareWindow::makePalette()
{
    m_palette = new WindowPalette(*m_header, this);
    for (const Side side : Sides)
        m_palette->add(pane(side));
    m_palette->setFunctions([this](const QString& text) {
        return functionItems(m_docks->functions(), text, [this](const SampledFunction& function) { m_docks->showFunction(function); });
    });
    m_header->omnibox().setPlaceholderText(tr("Search threads, functions and times, or type > for a command"));
}

void CompareWindow::explainDifferenceLane()
{
    if (!m_context.link().isLinked())
        m_status->say(tr("Axes apart: B \u2212 A has no lane until L links them again"));
    else if (m_stacks->isBeside())
        m_status->say(tr("Side by side: B \u2212 A has no lane until F8 puts A above B again"));
    else
        m_status->say({});
}

} // namespace helio
