#pragma once

#include <QColor>
#include <QIcon>
#include <QPixmap>
#include <QString>

namespace helio {

/// Returns an icon of the resources in this colour, sharp at `ratio` device pixels; a null pixmap if there is no such icon.
QPixmap iconPixmap(const QString& name, QColor color, int size = 16, qreal ratio = 1);

/// Returns an icon in the current theme's colours: `role` normally, text.disabled when disabled, text.primary when on. It follows theme
/// changes. `role` must be a string literal: only the pointer is kept.
QIcon themedIcon(const QString& name, const char* role = "text.secondary");

} // namespace helio
