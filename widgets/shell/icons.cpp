#include "widgets/shell/icons.h"

#include "widgets/theme/themes.h"

#include <QFile>
#include <QPainter>
#include <QSvgRenderer>

namespace helio {

QPixmap iconPixmap(const QString& name, QColor color, int size, qreal ratio)
{
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
