#pragma once

#include <QKeySequence>
#include <QList>

#include <span>

namespace helio {

/// An action that the user can invoke. Menus, tool buttons, the command palette and shortcuts of a window are all made from a table of
/// actions.
struct ActionSpec {
    enum class Scope { Window, TimeArea }; ///< Focus that the shortcuts need: TimeArea shortcuts leave the arrow keys to lists and fields.

    const char* id; ///< For example "view.fit".
    const char* text; ///< For example "Fit the whole experiment".
    const char* menu; ///< For example "View" or "View/Theme".
    int section; ///< Section of the menu; separators are between sections.
    const char* shortcuts; ///< Portable key sequences separated by spaces, for example "F Ctrl+0"; empty if none.
    const char* tip; ///< One sentence.
    const char* icon; ///< Name in resources/icons; empty if none.
    int tool; ///< Position among the header's tool buttons, from 1; 0 if none.
    bool isCheckable;
    Scope scope;
};

/// A mouse gesture and its effect, for the help sheet.
struct GestureSpec {
    const char* input;
    const char* does;
};

/// Menu of the actions that show and hide panels, including panels that come with a timeline.
constexpr const char* PanelMenu = "View/Panels";

/// Actions of the window of an experiment; the comparison window has its own table.
std::span<const ActionSpec> actionTable();
std::span<const GestureSpec> gestureTable();

QList<QKeySequence> shortcutsOf(const ActionSpec& action);

/// Returns the shortcuts as displayed, for example "F, Ctrl+0".
QString shortcutText(const ActionSpec& action);

} // namespace helio
