#pragma once

#include <QPainter>

namespace helio {

/// True while the user moves between controls with the keyboard: from pressing Tab or an arrow key until the mouse is used. Focus rings are
/// only shown then. (Qt's focus reason is not used, because it is also Tab when a widget was hidden.) Keys and mouse buttons are watched
/// from the first call on.
/// Threads: UI thread.
bool isKeyboardNavigationActive();

/// Paints a focus ring 2 pixels wide inside of `box`. `role`: theme role of the colour, for backgrounds on which accent.line is hardly
/// visible.
void paintFocusRing(QPainter& painter, const QRectF& box, qreal radius, const char* role = "accent.line");

} // namespace helio
