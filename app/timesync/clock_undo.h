#pragma once

#include <QObject>

#include <vector>

class QAction;

namespace helio {

class ClockHistory;

/// Controls a window's two actions that undo and redo changes of the clock settings. The actions' texts name the change, for example "Undo
/// offset of web". If the window has several experiments, the actions refer to the latest change of all experiments.
///
/// Threads: UI thread.
/// Ownership: the actions and the histories outlive the object.
class ClockUndo : public QObject {
    Q_OBJECT

public:
    ClockUndo(QAction& undo, QAction& redo, std::vector<ClockHistory*> steps, QObject* parent);

    /// Updates text and state of both actions, e.g. after other code enabled or disabled them.
    void update();

private:
    ClockHistory* latest() const; ///< Returns the history with the latest step to undo; nullptr if there is none.
    ClockHistory* next() const; ///< Returns the history with the step that was undone last; nullptr if there is no step to redo.

    QAction& m_undo;
    QAction& m_redo;
    std::vector<ClockHistory*> m_steps;
};

} // namespace helio
