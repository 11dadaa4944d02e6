#include "widgets/timeline/graph/graph_picture.h"

#include <cstring>

namespace helio {

namespace {

/// Maximum number of regions that are repainted one by one; for more regions, repainting their bounding rectangle is faster.
constexpr int MostParts = 6;
/// Pixels by which the image is larger than needed, because a new image at each step of a resize would take 1 to 2 ms.
constexpr int Slack = 256;

} // namespace

void GraphPicture::resize(QSize size, qreal pixelRatio)
{
    if (size == m_size && pixelRatio == m_ratio)
        return;
    const QRect all(QPoint(), size);
    const QRect kept = pixelRatio == m_ratio ? all & QRect(QPoint(), m_size) : QRect();
    const QSize pixels = (QSizeF(size) * pixelRatio).toSize();
    if (kept.isEmpty() || pixels.width() > m_image.width() || pixels.height() > m_image.height()) {
        const QSize room((pixels.width() + Slack) / Slack * Slack, (pixels.height() + Slack) / Slack * Slack);
        m_image = kept.isEmpty() ? QImage(room, QImage::Format_RGB32) : m_image.copy(QRect(QPoint(), room));
        m_image.setDevicePixelRatio(pixelRatio);
    }
    m_old = (m_old & kept) + (QRegion(all) - kept);
    m_size = size;
    m_ratio = pixelRatio;
}

void GraphPicture::scroll(int dy)
{
    const QRect all(QPoint(), m_size);
    const int lines = qRound(dy * m_ratio);
    if (dy == 0)
        return;
    if (lines != dy * m_ratio || std::abs(lines) >= m_image.height() || m_image.isNull()) {
        m_old = all;
        return;
    }
    const qsizetype stride = m_image.bytesPerLine();
    uchar* bits = m_image.bits();
    const qsizetype kept = (m_image.height() - std::abs(lines)) * stride;
    std::memmove(bits + (lines < 0 ? -lines * stride : 0), bits + (lines > 0 ? lines * stride : 0), std::size_t(kept));
    m_old.translate(0, -dy);
    m_old += dy > 0 ? QRect(0, m_size.height() - dy, m_size.width(), dy) : QRect(0, 0, m_size.width(), -dy);
    m_old &= all;
}

void GraphPicture::compose(GraphScene scene, const std::function<void(QPainter&, const GraphScene&)>& over)
{
    const QRegion old = m_old.rectCount() > MostParts ? QRegion(m_old.boundingRect()) : m_old;
    m_old = {};
    if (m_image.isNull())
        return;
    for (const QRect& part : old) {
        scene.clip = part;
        composePart(scene, over);
    }
}

void GraphPicture::composePart(const GraphScene& scene, const std::function<void(QPainter&, const GraphScene&)>& over)
{
    const QRect area = scene.timeArea();
    if (scene.clip.intersects(area))
        renderBars(scene, m_image);
    QPainter painter(&m_image);
    painter.setClipRect(scene.clip);
    if (scene.clip.intersects(area)) {
        paintTimeArea(painter, scene);
        painter.save();
        painter.setClipRect(area, Qt::IntersectClip);
        over(painter, scene);
        painter.restore();
    }
    if (scene.clip.left() < area.left())
        paintLabelColumn(painter, scene);
}

void GraphPicture::paint(QPainter& painter, const QRect& part) const
{
    painter.drawImage(QRectF(part), m_image, QRectF(QPointF(part.topLeft()) * m_ratio, QSizeF(part.size()) * m_ratio));
}

} // namespace helio
