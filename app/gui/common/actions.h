#pragma once

#include "app/gui/common/action_table.h"

#include <QAction>
#include <QHash>
#include <QObject>
#include <QSet>

#include <functional>

class QMenu;
class QWidget;

namespace helio {

class HeaderBar;

/// The QActions of a window, made from a table of actions. Shortcuts with the scope Window work everywhere in the window, shortcuts with
/// the scope TimeArea only while the time area has the focus.
class Actions : public QObject {
    Q_OBJECT

public:
    /// Creates the actions of the table. Requires: `timeArea` is not null if the table has actions with the scope TimeArea.
    /// Ownership: the table outlives the object.
    Actions(std::span<const ActionSpec> table, QWidget* window, QWidget* timeArea = nullptr);

    /// Returns the action with the given id. Requires: the table has the id.
    QAction& at(const QString& id) const;
    bool contains(const QString& id) const { return m_actions.contains(id); }

    /// Adds an action to the panel menu that shows and hides a panel of the timeline.
    QAction& addPanel(const QString& id, const QString& text, const QString& tip);
    /// Removes an action that addPanel() added; has no effect on actions of the table.
    void removePanel(const QString& id);

    /// Sets the function to call when the user invokes the action. For checkable actions, onToggled() passes the new state.
    void on(const QString& id, const std::function<void()>& run);
    void onToggled(const QString& id, const std::function<void(bool)>& run);
    /// Makes the actions exclusive: only one of them is on at a time.
    void group(const QStringList& ids);

    /// Creates the menus and tool buttons in the header. Must be called once.
    void fill(HeaderBar& header);
    /// Returns the menu with a path as in ActionSpec::menu; nullptr if it does not exist yet.
    QMenu* menu(const QString& path) const { return m_menus.value(path); }

private:
    void fillMenus(HeaderBar& header);
    void fillTools(HeaderBar& header);
    void updateIcons();

    std::span<const ActionSpec> m_table;
    QHash<QString, QAction*> m_actions;
    QSet<QString> m_added; ///< Ids of the actions that addPanel() added.
    QHash<QString, QMenu*> m_menus;
};

} // namespace helio
