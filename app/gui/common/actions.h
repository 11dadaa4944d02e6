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

/// The QActions of a window, made from a table of actions. Shortcuts with the scope Window work everywhere in the window, those with the
/// scope TimeArea only while the time area has the focus.
class Actions : public QObject {
    Q_OBJECT

public:
    /// Requires: `timeArea` is not null if the table has actions with the scope TimeArea. Ownership: the table outlives the object.
    Actions(std::span<const ActionSpec> table, QWidget* window, QWidget* timeArea = nullptr);

    /// Returns the action. Requires: the table has the id.
    QAction& at(const QString& id) const;
    bool contains(const QString& id) const { return m_actions.contains(id); }

    /// Adds an action to the panel menu that shows and hides a panel that came with a timeline.
    QAction& addPanel(const QString& id, const QString& text, const QString& tip);
    /// Removes an action of addPanel(); actions of the table stay.
    void removePanel(const QString& id);

    /// Calls `run` when the user invokes the action; onToggled() passes whether the checkable action is on.
    void on(const QString& id, const std::function<void()>& run);
    void onToggled(const QString& id, const std::function<void(bool)>& run);
    /// Makes the actions exclusive: only one of them is on at a time.
    void group(const QStringList& ids);

    /// Makes the menus and tool buttons. Call it once.
    void fill(HeaderBar& header);
    /// Returns the menu with the path of ActionSpec; nullptr if it does not exist yet.
    QMenu* menu(const QString& path) const { return m_menus.value(path); }

private:
    void fillMenus(HeaderBar& header);
    void fillTools(HeaderBar& header);
    void updateIcons();

    std::span<const ActionSpec> m_table;
    QHash<QString, QAction*> m_actions;
    QSet<QString> m_added; ///< Actions that addPanel() added.
    QHash<QString, QMenu*> m_menus;
};

} // namespace helio
