#pragma once

#include <QObject>

#include <vector>

class QAction;

namespace helio {

class ClockSteps;

/// Two actions of a window that take back and take again what was decided about clocks, and say what that is: "Undo offset of web". Where
/// the window has several experiments, they speak of the latest step of all of them.
///
/// The actions and the steps outlive it. UI thread.
class ClockUndo : public QObject {
    Q_OBJECT

public:
    ClockUndo(QAction& undo, QAction& redo, std::vector<ClockSteps*> steps, QObject* parent);

    /// Once more, after somebody else switched the actions on or off.
    void update();

private:
    ClockSteps* latest() const; ///< Null: there is nothing to undo.
    ClockSteps* next() const; ///< The one whose step was undone last. Null: there is nothing to do again.

    QAction& m_undo;
    QAction& m_redo;
    std::vector<ClockSteps*> m_steps;
};

} // namespace helio
