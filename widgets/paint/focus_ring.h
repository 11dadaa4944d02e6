#pragma once

#include <QPainter>

namespace helio {

/// True if the user moves between controls with the keyboard: from pressing Tab or an arrow key until the mouse is used. Focus rings are
/// shown only then. (Qt's focus reason says Tab also when a widget was merely hidden.) Keys and buttons are watched from the first call on.
/// Threads: UI thread.
bool isKeyboardNavigationActive();

/// Paints a ring 2 pixels wide inside of `box`. `role`: theme role of its colour, for backgrounds on which accent.line is hard to see.
void paintFocusRing(QPainter& painter, const QRectF& box, qreal radius, const char* role = "accent.line");

} // namespace helio
