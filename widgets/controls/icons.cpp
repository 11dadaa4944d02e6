#include "widgets/controls/icons.h"

#include "widgets/theme/themes.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

#include <algorithm>

namespace helio {

QPixmap iconPixmap(const QString& name, QColor color, int size, qreal ratio)
{
    // Icons are cached, because some are requested on every paint, and reading the file is the main cost.
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

namespace {

/// Icon engine that paints the icon for the requested size and the current theme, so that icons need no update when either changes.
class ThemedIconEngine final : public QIconEngine {
public:
    ThemedIconEngine(QString name, const char* role)
        : m_name(std::move(name))
        , m_role(role)
    {
    }
    QIconEngine* clone() const override { return new ThemedIconEngine(*this); }
    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override
    {
        const int size = std::min(rect.width(), rect.height());
        painter->drawPixmap(rect.center().x() - (size - 1) / 2, rect.center().y() - (size - 1) / 2,
                            picture(size, painter->device()->devicePixelRatioF(), mode, state));
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override { return scaledPixmap(size, mode, state, 1); }
    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal scale) override
    {
        return picture(qRound(std::min(size.width(), size.height()) / scale), scale, mode, state);
    }

private:
    QPixmap picture(int size, qreal ratio, QIcon::Mode mode, QIcon::State state) const
    {
        const char* role = mode == QIcon::Disabled ? "text.disabled" : state == QIcon::On ? "text.primary" : m_role;
        return iconPixmap(m_name, theme().color(role), size, ratio);
    }

    QString m_name;
    const char* m_role;
};

} // namespace

QIcon themedIcon(const QString& name, const char* role) { return QIcon(new ThemedIconEngine(name, role)); }

} // namespace helio
