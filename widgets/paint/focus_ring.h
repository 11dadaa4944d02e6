#pragma once

#include <QPainter>

namespace helio {

/// Whether who uses the program goes from control to control by keys: from Tab or an arrow key on, until the mouse is used. Before that no
/// ring shows what has the focus. (Qt's own reason of the focus says Tab, too, where a widget was merely hidden.) Known from the first call
/// on; UI thread.
bool isKeyboardUsed();

/// 2 wide, within the box, of accent.line unless another role reads better there.
void paintFocusRing(QPainter& painter, const QRectF& box, qreal radius, const char* role = "accent.line");

} // namespace helio
