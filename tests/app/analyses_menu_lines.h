#pragma once

#include <QAction>
#include <QByteArray>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QStringList>

namespace helio {

/// Returns the XML of an analysis with one row, whose state is `value` from the first context switch on.
inline QByteArray analysis(const QByteArray& value, const QByteArray& id = "mine")
{
    return "<tmfxml>\n<timeGraphView id=\"" + id + ".rows\"><head><analysis id=\"" + id + "\"/><label value=\"Rows of " + id
        + "\"/></head>\n<entry path=\"Things/*\"><display type=\"self\"/></entry></timeGraphView>\n<stateProvider id=\"" + id
        + "\" version=\"1\"><head><label value=\"Analysis " + id
        + "\"/></head>\n<eventHandler eventName=\"sched_switch\"><stateChange><stateAttribute type=\"constant\" value=\"Things\"/>"
          "<stateAttribute type=\"constant\" value=\""
        + value + "\"/><stateValue type=\"eventField\" value=\"next_comm\"/></stateChange></eventHandler>\n</stateProvider>\n</tmfxml>\n";
}

/// Returns the Analysis menu of a main window or a compare window.
inline QMenu* analyseMenu(const QMainWindow& window)
{
    for (QAction* action : window.findChild<QMenuBar*>()->actions())
        if (action->text() == "Analysis")
            return action->menu();
    return nullptr;
}

/// Returns the menu action that enables the analysis with this label; nullptr if there is none.
inline QAction* line(const QMainWindow& window, const QString& label)
{
    for (QAction* action : analyseMenu(window)->actions())
        if (action->text().section('\t', 0, 0) == label)
            return action;
    return nullptr;
}

/// Returns the actions that the Analysis menu has for the analysis with this label.
inline QList<QAction*> offers(const QMainWindow& window, const QString& label)
{
    for (QMenu* menu : analyseMenu(window)->findChildren<QMenu*>())
        if (menu->title() == label)
            return menu->actions();
    return {};
}

inline QStringList offersOf(const QMainWindow& window, const QString& label)
{
    QStringList all;
    for (QAction* action : offers(window, label))
        all << action->text();
    return all;
}

/// Returns the checkable action that shows all attributes of the analysis; nullptr if there is none.
inline QAction* attributes(const QMainWindow& window, const QString& label)
{
    for (QAction* action : offers(window, label))
        if (action->isCheckable())
            return action;
    return nullptr;
}

} // namespace helio
