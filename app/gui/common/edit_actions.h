#pragma once

#include <QObject>

class QWidget;

namespace helio {

class Actions;
class ChangeHistory;

/// Implements the actions "edit.undo", "edit.redo" and "edit.copy" of a window. The texts of Undo and Redo name the change, for example
/// "Undo Hide mysqld".
///
/// Threads: UI thread.
/// Ownership: actions and history outlive the object.
class EditActions : public QObject {
    Q_OBJECT

public:
    EditActions(Actions& actions, ChangeHistory& changes, QWidget& window);

    /// Updates texts and states of Undo and Redo, e.g. after other code enabled or disabled them.
    void update();

signals:
    /// Emitted with a text for the status bar: what was undone, redone or copied, or the reason why nothing was.
    void remark(const QString& text);

private:
    void copy();

    Actions& m_actions;
    ChangeHistory& m_changes;
    QWidget& m_window;
};

} // namespace helio
