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

/// The QActions of a window, made from a table of actions. Shortcuts of the window's scope work everywhere in it, those of the time area
/// only where the focus is in there.
class Actions : public QObject {
    Q_OBJECT

public:
    /// Requires: a time area, where the table has actions of its scope. The table outlives it.
    Actions(std::span<const ActionSpec> table, QWidget* window, QWidget* timeArea = nullptr);

    /// Requires: the table has the id.
    QAction& at(const QString& id) const;
    bool contains(const QString& id) const { return m_actions.contains(id); }

    /// A switch for a panel that came with a timeline, in the menu of panels.
    QAction& addPanel(const QString& id, const QString& text, const QString& tip);
    /// Nothing where it is one of the table's, which stay.
    void removePanel(const QString& id);

    /// `run` is what the action does when a person chooses it; onToggled() passes it whether the checkable action is on.
    void on(const QString& id, const std::function<void()>& run);
    void onToggled(const QString& id, const std::function<void(bool)>& run);
    /// Only one of them is on at a time.
    void group(const QStringList& ids);

    /// Makes the menus and tool buttons. Once.
    void fill(HeaderBar& header);
    /// Null: there is no such menu yet.
    QMenu* menu(const QString& path) const { return m_menus.value(path); }

private:
    void fillMenus(HeaderBar& header);
    void fillTools(HeaderBar& header);
    void updateIcons();

    std::span<const ActionSpec> m_table;
    QHash<QString, QAction*> m_actions;
    QSet<QString> m_added; ///< Of those, the ones that are not in the table.
    QHash<QString, QMenu*> m_menus;
};

} // namespace helio
