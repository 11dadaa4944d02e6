// Saving and restoring the state in a comparison's file: the compared traces, the position, and the window's layout.

#include "app/gui/common/session_position.h"
#include "app/gui/common/symbols_dialog.h"
#include "app/gui/compare_window/compare_window.h"
#include "app/gui/compare_window/comparison_docks.h"
#include "app/gui/compare_window/selected_rows.h"
#include "app/gui/compare_window/side_stacks.h"
#include "widgets/controls/status_bar.h"

#include <QAction>

#include <utility>

namespace helio {

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
    m_context.setProgram(comparison.program); // If empty, a program that both sides have is chosen.
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

/// Restores the position of the comparison once both sides are known: the time axis of one side alone is meaningless before.
void CompareWindow::placeOnce()
{
    for (const Side side : Sides) // The timeline is nullptr while another experiment is opened, although the old times remain.
        if (!contextOf(side).timeline() || contextOf(side).time().full().isEmpty())
            return;
    if (std::exchange(m_isPlaced, true))
        return;
    const Comparison& it = m_pending;
    if (it.alignBy == AlignmentControl::By::Hand || it.alignBy == AlignmentControl::By::Bookmarks)
        m_alignment->alignByHand(it.zero);
    m_selected->setWantsThreads(it.comparesThreads);
    m_context.link().setLinked(false); // Each side gets its own position.
    restorePosition(pane(Side::A), it.a);
    restorePosition(pane(Side::B), it.b);
    m_context.link().setLinked(it.isLinked);
    if (it.alignBy == AlignmentControl::By::Bookmarks)
        m_alignment->alignByBookmarks(); // The bookmarks were restored above.
    if (it.a.cursor == Timestamp())
        m_context.a().time().setCursor(m_context.link().alignment().a);
    updateFormats();
}

void CompareWindow::save(const QString& path)
{
    const QString chosen = path.isEmpty() ? askSessionPath(this, tr("Save the comparison"), session(Side::B).paths().value(0)) : path;
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
