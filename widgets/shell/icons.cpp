#include "widgets/shell/icons.h"

#include "widgets/theme/themes.h"

#include <QFile>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

namespace helio {

QPixmap iconPixmap(const QString& name, QColor color, int size, qreal ratio)
{
    // Kept: some are asked for at every painting, and reading the file costs more than all the rest of it.
    const QString key = QStringLiteral("icon/%1/%2/%3/%4").arg(name, color.name(QColor::HexArgb)).arg(size).arg(ratio);
    if (QPixmap known; QPixmapCache::find(key, &known))
        return known;
    QFile file(":/icons/" + name + ".svg");
    if (name.isEmpty() || !file.open(QIODevice::ReadOnly))
        return {};
    QByteArray svg = file.readAll();
    svg.replace("#000000", color.name().toLatin1());
    QSvgRenderer renderer(svg);
    const int pixels = qRound(size * ratio);
    QPixmap pixmap(pixels, pixels);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    renderer.render(&painter, QRectF(0, 0, pixels, pixels));
    painter.end();
    pixmap.setDevicePixelRatio(ratio);
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

QIcon themedIcon(const QString& name, const char* role)
{
    QIcon icon;
    for (const qreal ratio : {1.0, 2.0, 3.0}) {
        icon.addPixmap(iconPixmap(name, theme().color(role), 16, ratio), QIcon::Normal, QIcon::Off);
        icon.addPixmap(iconPixmap(name, theme().color("text.primary"), 16, ratio), QIcon::Normal, QIcon::On);
        icon.addPixmap(iconPixmap(name, theme().color("text.disabled"), 16, ratio), QIcon::Disabled, QIcon::Off);
    }
    return icon;
}

} // namespace helio
