// How the two sides share the window: their rows, rulers, legend and filter.

#include "app/compare/compare_window.h"
#include "app/window/actions.h"
#include "core/query/rows/row_lookup.h"
#include "widgets/compare/alignment_gutter.h"
#include "widgets/compare/difference_lane.h"
#include "widgets/compare/side_frame.h"
#include "widgets/timegraph/axis/ruler.h"
#include "widgets/timegraph/time_panels.h"
#include "widgets/tracks/track_panel.h"

#include <QAction>
#include <QBoxLayout>
#include <QLineEdit>

#include <algorithm>

namespace helio {

void CompareWindow::setBeside(bool isBeside)
{
    m_isBeside = isBeside;
    m_actions->at("view.beside").setChecked(isBeside);
    m_stacks->setDirection(isBeside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    updateCommon();
    updateNote();
}

/// One above the other and linked, one axis is for both: A's ruler, the handle between, the lane below.
void CompareWindow::updateCommon()
{
    pane(Side::B).area().ruler()->setVisible(m_isBeside || !m_context.link().isLinked());
    part(Side::B).threads->header()->setLegendShown(m_isBeside);
    shareFilter(Side::A);
    m_gutter->setVisible(!m_isBeside);
    m_lane->setVisible(!m_isBeside && m_context.link().isLinked());
}

/// Each side has room by its rows.
void CompareWindow::shareHeight()
{
    if (m_isBeside || !m_stacks)
        return;
    for (const Side side : Sides)
        m_stacks->setStretchFactor(part(side).stack, std::max(1, pane(side).area().panels()->naturalHeight()));
}

/// Of the threads only those of what is compared; a person may filter otherwise until something else is compared.
void CompareWindow::filterRows()
{
    for (const Side side : Sides) {
        const Subject& subject = m_context.subject(side);
        const auto timeline = contextOf(side).timeline();
        const auto thread = timeline && subject.thread.isValid() ? rowOf(*timeline, subject.thread) : std::nullopt;
        const QString program = QString::fromStdString(subject.program);
        const QString name = thread ? QString::number(thread->tid) : program.isEmpty() ? program : u'"' + program + u'"';
        part(side).threads->header()->setFilter(m_actions->at("view.only-compared").isChecked() ? name : QString());
    }
    shareFilter(Side::A);
}

/// One filter for both; threads that are compared one by one have each their own.
void CompareWindow::shareFilter(Side from)
{
    const auto headerOf = [this](Side side) { return part(side).threads->header(); };
    const QString text = headerOf(from)->filter()->text();
    if (!m_context.comparesThreads())
        headerOf(from == Side::A ? Side::B : Side::A)->filter()->setText(text);
    const QLineEdit* ofA = headerOf(Side::A)->filter();
    QLineEdit* ofB = headerOf(Side::B)->filter();
    ofB->setVisible(ofB->hasFocus() || (!ofB->text().isEmpty() && (m_isBeside || ofB->text() != ofA->text())));
    headerOf(Side::A)->setFilter(ofA->text());
}

} // namespace helio
