#include "app/timesync/clock_undo.h"

#include "widgets/workspace/clock_steps.h"

#include <QAction>

#include <algorithm>

namespace helio {

ClockUndo::ClockUndo(QAction& undo, QAction& redo, std::vector<ClockSteps*> steps, QObject* parent)
    : QObject(parent)
    , m_undo(undo)
    , m_redo(redo)
    , m_steps(std::move(steps))
{
    for (const ClockSteps* it : m_steps)
        connect(it, &ClockSteps::stepsChanged, this, &ClockUndo::update);
    connect(&m_undo, &QAction::triggered, this, [this] {
        if (ClockSteps* its = latest())
            its->undo();
    });
    connect(&m_redo, &QAction::triggered, this, [this] {
        if (ClockSteps* its = next())
            its->redo();
    });
    update();
}

void ClockUndo::update()
{
    const ClockSteps* undo = latest();
    const ClockSteps* redo = next();
    m_undo.setEnabled(undo);
    m_redo.setEnabled(redo);
    m_undo.setText(undo ? tr("Undo %1").arg(undo->undoWhat()) : tr("Undo"));
    m_redo.setText(redo ? tr("Redo %1").arg(redo->redoWhat()) : tr("Redo"));
}

ClockSteps* ClockUndo::latest() const
{
    const auto found = std::ranges::max_element(m_steps, {}, &ClockSteps::undoOrder);
    return found != m_steps.end() && (*found)->canUndo() ? *found : nullptr;
}

ClockSteps* ClockUndo::next() const
{
    ClockSteps* first = nullptr;
    for (ClockSteps* it : m_steps)
        if (it->canRedo() && (!first || it->redoOrder() < first->redoOrder()))
            first = it;
    return first;
}

} // namespace helio
