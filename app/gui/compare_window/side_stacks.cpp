#include "app/gui/compare_window/side_stacks.h"

#include "app/gui/common/experiment_pane.h"
#include "app/gui/common/window_frame.h"
#include "app/gui/compare_window/matched_order.h"
#include "core/query/rows/row_lookup.h"
#include "widgets/compare/alignment_gutter.h"
#include "widgets/compare/compare_context.h"
#include "widgets/compare/difference_lane.h"
#include "widgets/compare/side_frame.h"
#include "widgets/timeline/graph/axis/ruler.h"
#include "widgets/timeline/graph/time_panels.h"
#include "widgets/timeline/panels/track_panel.h"

#include <QLineEdit>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace helio {

SideStacks::SideStacks(CompareContext& context, ExperimentPane& a, ExperimentPane& b)
    : m_context(context)
    , m_sides{partsOf(Side::A, a), partsOf(Side::B, b)}
    , m_gutter(new AlignmentGutter(context.link(), a.axis()))
{
    auto* both = new QWidget;
    m_lines = makeVerticalLayout(both);
    m_lines->addWidget(&frame(Side::A), 1);
    m_lines->addWidget(m_gutter);
    m_lines->addWidget(&frame(Side::B), 1);
    m_lane = new DifferenceLane(context, a.axis());
    updateCommon();
    shareSpace();
    new MatchedOrder(context, threads(Side::A), threads(Side::B), this);
    auto* withLane = makeVerticalLayout(this);
    withLane->addWidget(both, 1);
    withLane->addWidget(m_lane);
    connect(m_gutter, &AlignmentGutter::alignedByHand, this, &SideStacks::alignedByHand);
    connect(&context.link(), &AxisLink::linkedChanged, this, &SideStacks::updateCommon);
    for (const Side side : Sides)
        connect(threads(side).header()->filter(), &QLineEdit::textChanged, this, [this, side] { shareFilter(side); });
}

SideStacks::Parts SideStacks::partsOf(Side side, ExperimentPane& pane)
{
    TimeArea& area = pane.area();
    TrackPanel* threads = area.rowsPanel(TrackRole::Thread);
    return {&pane, threads, new SideFrame(side, &area, area.panels()->shareHeader(threads))};
}

/// Synchronizes the sides: labels of the same width, a common scroll position, and for each side the height that its rows need.
void SideStacks::shareSpace()
{
    for (const Side side : Sides) {
        const Side other = side == Side::A ? Side::B : Side::A;
        connect(pane(side).area().panels(), &TimePanels::naturalHeightChanged, this, &SideStacks::shareHeight);
        connect(&pane(side).axis(), &TimeAxis::labelWidthChanged, this, [this, side, other] {
            // Do not copy a width that the user has not set: both sides then have the width for the window.
            if (pane(side).axis().isLabelWidthChosen())
                pane(other).axis().setLabelWidth(pane(side).axis().labelWidth());
        });
        connect(pane(side).area().panels(), &TimePanels::roomChanged, this, &SideStacks::shareRoom);
        connect(pane(side).area().panels(), &TimePanels::scrolled, this, [this, side] { shareScroll(side); });
    }
}

/// Scrolls the other side to the scroll position of `from`.
void SideStacks::shareScroll(Side from)
{
    TimePanels* other = pane(from == Side::A ? Side::B : Side::A).area().panels();
    // Block the signals of the other side, because it may be shorter and would scroll `from` back.
    const QSignalBlocker blocker(other);
    other->scrollTo(pane(from).area().panels()->scrolledTo());
}

void SideStacks::setBeside(bool isBeside)
{
    m_isBeside = isBeside;
    m_lines->setDirection(isBeside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    updateCommon();
    emit titledHeightChanged();
}

/// Shows or hides the widgets that belong to both sides. If the sides are linked and one above the other, they have a common axis: A's
/// ruler, the handle between them and the difference lane below.
void SideStacks::updateCommon()
{
    pane(Side::B).area().ruler()->setVisible(m_isBeside || !m_context.link().isLinked());
    threads(Side::B).header()->setLegendShown(m_isBeside);
    shareFilter(Side::A);
    m_gutter->setVisible(!m_isBeside);
    m_lane->setVisible(!m_isBeside && m_context.link().isLinked());
}

int SideStacks::titledHeight()
{
    const int a = pane(Side::A).area().panels()->titledHeight(), b = pane(Side::B).area().panels()->titledHeight();
    return m_isBeside ? std::max(a, b) : a + b;
}

void SideStacks::shareHeight()
{
    emit titledHeightChanged();
    placeSides();
}

/// Gives the panels below the threads the same room on both sides, so that both sides show the same panels.
void SideStacks::shareRoom()
{
    const int room = std::min(pane(Side::A).area().panels()->roomBelowThreads(), pane(Side::B).area().panels()->roomBelowThreads());
    for (const Side side : Sides)
        pane(side).area().panels()->setMostRoom(room);
}

/// Gives each side the height that its rows need. If both need more than available, both get the same height, so that they show the same
/// panels.
void SideStacks::placeSides()
{
    if (m_isBeside)
        return;
    const int half = std::max(1, height() / 2);
    for (const Side side : Sides)
        m_lines->setStretchFactor(&frame(side), std::clamp(pane(side).area().panels()->naturalHeight(), 1, half));
}

void SideStacks::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    placeSides();
}

void SideStacks::filterThreads(bool areOnlyCompared)
{
    // The filter follows the compared program, so it is no change that the user made.
    const ChangeHistory::Pause pause(pane(Side::A).context().changes());
    for (const Side side : Sides) {
        const Subject& subject = m_context.subject(side);
        const auto timeline = m_context.side(side).timeline();
        const auto thread = timeline && subject.thread.isValid() ? rowOf(*timeline, subject.thread) : std::nullopt;
        const QString program = QString::fromStdString(subject.program);
        const QString name = thread ? QString::number(thread->tid) : program.isEmpty() ? program : u'"' + program + u'"';
        threads(side).header()->setFilter(areOnlyCompared ? name : QString());
    }
    shareFilter(Side::A);
}

/// Applies the filter of side `from` to both sides, unless two threads are compared.
void SideStacks::shareFilter(Side from)
{
    const auto headerOf = [this](Side side) { return threads(side).header(); };
    const QString text = headerOf(from)->filter()->text();
    // Copying the filter to the other side is no change of its own.
    const ChangeHistory::Pause pause(pane(from).context().changes());
    if (!m_context.comparesThreads())
        headerOf(from == Side::A ? Side::B : Side::A)->setFilter(text);
    const QLineEdit* ofA = headerOf(Side::A)->filter();
    QLineEdit* ofB = headerOf(Side::B)->filter();
    ofB->setVisible(ofB->hasFocus() || (!ofB->text().isEmpty() && (m_isBeside || ofB->text() != ofA->text())));
    headerOf(Side::A)->setFilter(ofA->text());
}

} // namespace helio
