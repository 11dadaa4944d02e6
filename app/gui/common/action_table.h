#pragma once

#include <QKeySequence>
#include <QList>

#include <span>

namespace helio {

/// One thing a person can do. Menus, tool buttons, the command palette and shortcuts of a window are all made from a table of these.
struct ActionSpec {
    enum class Scope { Window, TimeArea }; ///< Where its shortcuts are heard: TimeArea ones leave the arrow keys to lists and fields.

    const char* id; ///< "view.fit"
    const char* text; ///< "Fit the whole experiment"
    const char* menu; ///< "View", "View/Theme".
    int section; ///< In its menu; separators stand between sections.
    const char* shortcuts; ///< Portable key sequences parted by blanks: "F Ctrl+0"; empty for none.
    const char* tip; ///< One sentence.
    const char* icon; ///< A name in resources/icons; empty for none.
    int tool; ///< Place among the header's tool buttons, from 1; 0: none.
    bool isCheckable;
    Scope scope;
};

/// What the mouse does: part of the help sheet only.
struct GestureSpec {
    const char* input;
    const char* does;
};

/// Where the switches of panels are, those that come with a timeline too.
constexpr const char* PanelMenu = "View/Panels";

/// What a person can do in the window of an experiment; that of a comparison has a table of its own.
std::span<const ActionSpec> actionTable();
std::span<const GestureSpec> gestureTable();

QList<QKeySequence> shortcutsOf(const ActionSpec& action);

/// As shown to people: "F, Ctrl+0".
QString shortcutText(const ActionSpec& action);

} // namespace helio
