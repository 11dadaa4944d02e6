#include "widgets/docks/durations/interval_range.h"

#include "widgets/controls/pill.h"

#include <QMenu>

#include <utility>

namespace helio {

IntervalRange::IntervalRange(ViewContext& context)
    : m_context(context)
    , m_pill(new Pill(tr("Whole trace")))
{
    auto* menu = new QMenu(m_pill);
    menu->addAction(tr("Whole trace"), this, [this] { setUsesVisibleRange(false); });
    menu->addAction(tr("Visible range"), this, [this] { setUsesVisibleRange(true); });
    m_pill->setMenu(menu);
    m_pill->setToolTip(tr("Count only intervals that lie completely in this range; a selected range takes precedence"));
    connect(&context.time(), &TimeWindow::selectionChanged, this, [this] {
        show();
        emit selected();
    });
    connect(&context.time(), &TimeWindow::visibleChanged, this, [this] {
        if (m_usesVisibleRange && selection().isEmpty())
            emit moved();
    });
    show();
}

TimeRange IntervalRange::selection() const
{
    const TimeRange selected = m_context.time().selection();
    return selected == m_visitedInterval ? m_selectionBefore : selected;
}

void IntervalRange::aboutToGoTo(TimeRange interval)
{
    // If the user goes to the same interval again, m_selectionBefore must keep the selection from before the first time.
    if (m_context.time().selection() != m_selectionAtGoTo || interval != m_visitedInterval)
        m_selectionBefore = selection();
    m_selectionAtGoTo = m_context.time().selection();
    m_visitedInterval = interval;
}

TimeRange IntervalRange::now() const
{
    if (const TimeRange selected = selection(); !selected.isEmpty())
        return selected;
    return m_usesVisibleRange ? m_context.time().visible() : whole();
}

void IntervalRange::setUsesVisibleRange(bool usesVisibleRange)
{
    if (std::exchange(m_usesVisibleRange, usesVisibleRange) == usesVisibleRange)
        return;
    show();
    emit selected();
}

void IntervalRange::show()
{
    m_pill->setText(!selection().isEmpty() ? tr("Selected range") : m_usesVisibleRange ? tr("Visible range") : tr("Whole trace"));
}

} // namespace helio
