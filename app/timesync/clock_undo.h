#pragma once

#include <QObject>

#include <vector>

class QAction;

namespace helio {

class ClockHistory;

/// Two actions of a window that undo and redo changes of the clock settings. Their texts name the change, for example "Undo offset of web".
/// If the window has several experiments, the actions refer to the latest step of all experiments.
///
/// Threads: UI thread. Ownership: the actions and the steps outlive the object.
class ClockUndo : public QObject {
    Q_OBJECT

public:
    ClockUndo(QAction& undo, QAction& redo, std::vector<ClockHistory*> steps, QObject* parent);

    /// Updates both actions again, after other code enabled or disabled them.
    void update();

private:
    ClockHistory* latest() const; ///< Experiment with the latest step to undo; nullptr if there is none.
    ClockHistory* next() const; ///< Experiment with the step that was undone last; nullptr if there is none to redo.

    QAction& m_undo;
    QAction& m_redo;
    std::vector<ClockHistory*> m_steps;
};

} // namespace helio
