#pragma once

#include "widgets/timeline/graph/graph_scene.h"

#include <QRegion>

#include <functional>

namespace helio {

/// Picture of a time graph as last painted, without the time marks that move with the pointer. Only outdated regions are repainted.
/// Threads: UI thread.
class GraphPicture {
public:
    /// Sets the size of the whole graph. The existing picture stays in place and new areas become outdated. If the pixel ratio changes, the
    /// whole picture becomes outdated.
    void resize(QSize size, qreal pixelRatio);

    void markOld(const QRect& rect) { m_old += rect & QRect(QPoint(), m_size); }
    bool isOld() const { return !m_old.isEmpty(); }

    /// Moves the picture up by `dy`; the area that comes into view becomes outdated. If `dy` is not a whole number of device pixels, the
    /// whole picture becomes outdated.
    void scroll(int dy);

    /// Repaints the outdated regions: first the scene, then `over`, clipped to the time area.
    void compose(GraphScene scene, const std::function<void(QPainter&, const GraphScene&)>& over);

    /// Copies the rectangle `part` of the picture to the same position of the painter's device.
    void paint(QPainter& painter, const QRect& part) const;

private:
    void composePart(const GraphScene& scene, const std::function<void(QPainter&, const GraphScene&)>& over);

    QSize m_size;
    qreal m_ratio = 1;
    QImage m_image; ///< Image that is somewhat larger than m_size, so that a resize does not need a new image at each step.
    QRegion m_old;
};

} // namespace helio
