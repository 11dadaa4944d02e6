#pragma once

#include <QColor>
#include <QIcon>
#include <QPixmap>
#include <QString>

namespace helio {

/// An icon of the resources in a colour, sharp at `ratio` device pixels. Empty where there is no such icon.
QPixmap iconPixmap(const QString& name, QColor color, int size = 16, qreal ratio = 1);

/// In the present theme's colours: text.secondary, text.disabled when off, text.primary when on; it follows the theme. The role is a
/// literal.
QIcon themedIcon(const QString& name, const char* role = "text.secondary");

} // namespace helio
