#pragma once

#include <QKeySequence>
#include <QList>

#include <span>

namespace helio {

/// An action that the user can invoke. Menus, tool buttons, the command palette and shortcuts of a window are all made from a table of
/// actions.
struct ActionSpec {
    /// Widget that must have the focus for the shortcuts to work. Window: any widget of the window. TimeArea: the time area, so that lists
    /// and fields keep keys such as the arrow keys.
    enum class Scope { Window, TimeArea };

    const char* id; ///< Id of the action, for example "view.fit".
    const char* text; ///< Text in menus, for example "Fit the whole experiment".
    const char* menu; ///< Path of the menu, for example "View" or "View/Theme".
    int section; ///< Number of the section in the menu; separators divide sections.
    const char* shortcuts; ///< Portable key sequences separated by spaces, for example "F Ctrl+0"; empty if none.
    const char* tip; ///< Tooltip, one sentence.
    const char* icon; ///< Name of the icon in resources/icons; empty if none.
    int tool; ///< Position of the action's tool button in the header, from 1; 0 if it has no button.
    bool isCheckable;
    Scope scope;
};

/// A mouse gesture and its effect, for the help sheet.
struct GestureSpec {
    const char* input;
    const char* does;
};

/// Path of the menu whose actions show and hide panels, including panels that depend on the timeline.
constexpr const char* PanelMenu = "View/Panels";

/// Returns the actions of the main window; the comparison window has its own table.
std::span<const ActionSpec> actionTable();
std::span<const GestureSpec> gestureTable();

QList<QKeySequence> shortcutsOf(const ActionSpec& action);

/// Returns the shortcuts of an action as text for the user, for example "F, Ctrl+0".
QString shortcutText(const ActionSpec& action);

} // namespace helio
