#pragma once

#include <QColor>
#include <QIcon>
#include <QPixmap>
#include <QString>

namespace helio {

/// Returns an icon from the resources in a colour, for a display with `ratio` device pixels per pixel; a null pixmap if there is no such
/// icon.
QPixmap iconPixmap(const QString& name, QColor color, int size = 16, qreal ratio = 1);

/// Returns an icon in colours of the current theme: `role` normally, text.disabled if disabled, text.primary if on. The icon follows
/// changes of the theme. `role` must be a string literal, because only the pointer is stored.
QIcon themedIcon(const QString& name, const char* role = "text.secondary");

} // namespace helio
