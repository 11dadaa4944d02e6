// Palette of the theme for Qt's own widgets.

#include "widgets/theme/theme.h"

namespace helio {

QPalette Theme::palette() const
{
    QPalette p;
    const auto set = [&](QPalette::ColorRole role, const char* name) { p.setColor(role, color(name)); };
    set(QPalette::Window, "surface.window");
    set(QPalette::WindowText, "text.primary");
    set(QPalette::Base, "surface.input");
    set(QPalette::AlternateBase, "surface.group");
    set(QPalette::Text, "text.primary");
    set(QPalette::Button, "surface.header");
    set(QPalette::ButtonText, "text.primary");
    set(QPalette::BrightText, "severity.error");
    set(QPalette::Highlight, "surface.selected");
    set(QPalette::HighlightedText, "text.primary");
    set(QPalette::ToolTipBase, "surface.raised");
    set(QPalette::ToolTipText, "text.primary");
    set(QPalette::PlaceholderText, "text.hint");
    set(QPalette::Link, "text.link");
    set(QPalette::LinkVisited, "text.link");
    set(QPalette::Light, "line.faint");
    set(QPalette::Midlight, "line.faint");
    set(QPalette::Mid, "line.subtle");
    set(QPalette::Dark, "line.strong");
    set(QPalette::Shadow, "line.strong");
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        p.setColor(QPalette::Disabled, role, color("text.disabled"));
    return p;
}

} // namespace helio
