#include "widgets/docks/durations/interval_range.h"

#include "widgets/controls/pill.h"

#include <QMenu>

#include <utility>

namespace helio {

IntervalRange::IntervalRange(ViewContext& context)
    : m_context(context)
    , m_pill(new Pill(tr("Whole recording")))
{
    auto* menu = new QMenu(m_pill);
    menu->addAction(tr("Whole recording"), this, [this] { setUsesVisibleRange(false); });
    menu->addAction(tr("What is visible"), this, [this] { setUsesVisibleRange(true); });
    m_pill->setMenu(menu);
    m_pill->setToolTip(
        tr("Which part of the recording they are of, those that lie in it as a whole: the selected range, where there is one"));
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
    return selected == m_visitedInterval ? m_before : selected;
}

void IntervalRange::aboutToGoTo(TimeRange piece)
{
    if (m_context.time().selection() != m_from || piece != m_visitedInterval) // Ignores a repeated call.
        m_before = selection();
    m_from = m_context.time().selection();
    m_visitedInterval = piece;
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
    m_pill->setText(!selection().isEmpty() ? tr("Selected range") : m_usesVisibleRange ? tr("What is visible") : tr("Whole recording"));
}

} // namespace helio
