#pragma once

#include <QHash>
#include <QObject>
#include <QString>
#include <QUndoStack>
#include <QVariant>

#include <functional>

namespace helio {

/// A change made by the user that can be undone, e.g. a hidden row.
struct Change {
    QString text; ///< Name of the change in texts such as "Undo Hide mysqld".
    std::function<void()> undo;
    std::function<void()> redo;
    /// Consecutive changes of one owner with the same key become one change; empty: the change is never merged.
    QString mergeKey{};
    /// Values before and after the change, to drop merged changes that cancel each other; invalid values are not compared.
    QVariant before{};
    QVariant after{};
};

/// Changes of a window that the user can undo and redo, in a single order. Several experiments of a window share one history; each change
/// has an owner, so that the changes of one experiment can be forgotten and the others kept. Moves in time and between rows are not
/// changes: TimeWindow keeps them, for Back and Forward.
///
/// Threads: UI thread. Signals are only emitted on change.
/// Ownership: a change is forgotten before anything that its functions use is destroyed, or never invoked afterwards.
class ChangeHistory : public QObject {
    Q_OBJECT

public:
    explicit ChangeHistory(QObject* parent = nullptr);

    /// Adds a change that was already made. Does nothing while a change is undone or redone, and during a Pause.
    void add(const QObject* owner, Change change);
    /// Prevents the next change from merging with the last one, e.g. because the user left a field.
    void endMerging() { m_canMerge = false; }
    bool isPaused() const { return m_pauses > 0; } ///< True while a change is undone or redone, and during a Pause.
    void forget(const QObject* owner); ///< Drops all changes of an owner; the changes of other owners are kept.
    /// Sets the text that follows the names of the owner's changes, e.g. "B" for "Undo Hide mysqld (B)".
    void setOwnerName(const QObject* owner, const QString& name) { m_names.insert(owner, name); }

    bool canUndo() const { return m_stack.canUndo(); }
    bool canRedo() const { return m_stack.canRedo(); }
    QString undoText() const { return m_stack.undoText(); } ///< Name of the change that undo() reverts; empty if there is none.
    QString redoText() const { return m_stack.redoText(); }
    bool hasPreview() const { return m_dropPreview != nullptr; } ///< True while a change is previewed; see setPreview().
    void undo(); ///< Ends a preview if there is one; otherwise reverts the last change.
    void redo(); ///< Ends a preview if there is one; then repeats the change that was undone last.

    /// Sets the function that ends the preview of a change that is not made yet, e.g. during a drag; an empty function if there is none.
    void setPreview(std::function<void()> drop);

    /// Scope in which changes are not recorded, e.g. while a session is restored.
    class Pause {
    public:
        explicit Pause(ChangeHistory& history)
            : m_history(history)
        {
            ++m_history.m_pauses;
        }
        ~Pause() { --m_history.m_pauses; }
        Pause(const Pause&) = delete;
        Pause& operator=(const Pause&) = delete;

    private:
        ChangeHistory& m_history;
    };

signals:
    void changed(); ///< Emitted when the changes that can be undone or redone changed, and when a preview begins or ends.

private:
    class Command;

    bool endPreview();
    void step(void (QUndoStack::*go)());

    QUndoStack m_stack;
    QHash<const QObject*, QString> m_names;
    std::function<void()> m_dropPreview;
    int m_pauses = 0;
    bool m_isQuiet = false; ///< True while m_stack is filled or rearranged, when commands must have no effect.
    bool m_canMerge = false;
};

} // namespace helio
