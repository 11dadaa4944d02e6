#include "app/timesync/clock_undo.h"

#include "widgets/workspace/clock_history.h"

#include <QAction>

#include <algorithm>

namespace helio {

ClockUndo::ClockUndo(QAction& undo, QAction& redo, std::vector<ClockHistory*> steps, QObject* parent)
    : QObject(parent)
    , m_undo(undo)
    , m_redo(redo)
    , m_steps(std::move(steps))
{
    for (const ClockHistory* it : m_steps)
        connect(it, &ClockHistory::stepsChanged, this, &ClockUndo::update);
    connect(&m_undo, &QAction::triggered, this, [this] {
        if (ClockHistory* its = latest())
            its->undo();
    });
    connect(&m_redo, &QAction::triggered, this, [this] {
        if (ClockHistory* its = next())
            its->redo();
    });
    update();
}

void ClockUndo::update()
{
    const ClockHistory* undo = latest();
    const ClockHistory* redo = next();
    m_undo.setEnabled(undo);
    m_redo.setEnabled(redo);
    m_undo.setText(undo ? tr("Undo %1").arg(undo->undoText()) : tr("Undo"));
    m_redo.setText(redo ? tr("Redo %1").arg(redo->redoText()) : tr("Redo"));
}

ClockHistory* ClockUndo::latest() const
{
    const auto found = std::ranges::max_element(m_steps, {}, &ClockHistory::undoOrder);
    return found != m_steps.end() && (*found)->canUndo() ? *found : nullptr;
}

ClockHistory* ClockUndo::next() const
{
    ClockHistory* first = nullptr;
    for (ClockHistory* it : m_steps)
        if (it->canRedo() && (!first || it->redoOrder() < first->redoOrder()))
            first = it;
    return first;
}

} // namespace helio
