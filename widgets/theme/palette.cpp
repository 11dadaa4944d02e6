// What Qt's own widgets take from the theme.

#include "widgets/theme/theme.h"

#include <algorithm>

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

QString Theme::styleSheet() const
{
    QString sheet = QStringLiteral(R"(
QToolButton { border: none; border-radius: 4px; padding: 3px; color: @text.secondary; background: transparent; }
QToolButton:hover { background: @surface.hover; }
QToolButton:pressed, QToolButton:checked { background: @surface.selected; }
QToolButton:disabled { color: @text.disabled; }
QToolButton::menu-indicator { image: none; }
QLineEdit#searchField { background: @surface.input; color: @text.primary; border: 1px solid @line.strong; border-radius: 4px; padding: 0 4px; }
QLineEdit#searchField:focus { border-color: @accent.line; }
QTabBar { background: @surface.header; }
QTabBar::tab { height: 26px; padding: 0 12px; color: @text.secondary; background: @surface.header; border: none;
               border-top: 2px solid transparent; }
QTabBar::tab:hover { background: @surface.hover; }
QTabBar::tab:selected { background: @surface.panel; color: @text.primary; font-weight: 600; border-top: 2px solid @accent.line; }
QHeaderView { background: @surface.header; }
QHeaderView::section { background: @surface.header; color: @text.secondary; border: none; border-bottom: 1px solid @line.subtle;
                       padding: 3px 8px; }
QSplitter::handle { background: @surface.window; }
QSplitter::handle:hover { background: @line.strong; }
QMainWindow::separator { background: @surface.window; width: 4px; height: 4px; }
QMainWindow::separator:hover { background: @line.strong; }
QScrollBar:vertical { width: 10px; background: transparent; margin: 0; }
QScrollBar:horizontal { height: 10px; background: transparent; margin: 0; }
QScrollBar::handle { background: @line.strong; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 24px; }
QScrollBar::handle:horizontal { min-width: 24px; }
QScrollBar::handle:hover { background: @text.hint; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QToolTip { background: @surface.raised; color: @text.primary; border: 1px solid @line.strong; padding: 4px; }
)");
    QStringList names = roles();
    std::ranges::sort(names, [](const QString& a, const QString& b) { return a.size() > b.size(); }); // line.grid-major before line.grid
    for (const QString& role : names)
        sheet.replace(QLatin1Char('@') + role, color(role).name(color(role).alpha() == 255 ? QColor::HexRgb : QColor::HexArgb));
    return sheet;
}

} // namespace helio
