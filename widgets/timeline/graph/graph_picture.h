#pragma once

#include "widgets/timeline/graph/graph_scene.h"

#include <QRegion>

#include <functional>

namespace helio {

/// Last frame of a time graph, without the time marks that move with the pointer. Only outdated parts are painted again.
/// Threads: UI thread.
class GraphPicture {
public:
    /// Sets the size of the whole graph. The existing picture stays in place and new areas become outdated; with another pixel ratio,
    /// everything becomes outdated.
    void resize(QSize size, qreal pixelRatio);

    void markOld(const QRect& rect) { m_old += rect & QRect(QPoint(), m_size); }
    bool isOld() const { return !m_old.isEmpty(); }

    /// Moves the picture up by `dy`; the area that comes into view becomes outdated. If `dy` is no whole number of device pixels,
    /// everything does.
    void scroll(int dy);

    /// Paints the outdated parts: first the scene, then `over`, clipped to the time area.
    void compose(GraphScene scene, const std::function<void(QPainter&, const GraphScene&)>& over);

    /// Paints a part of the picture at its own position.
    void paint(QPainter& painter, const QRect& part) const;

private:
    void composePart(const GraphScene& scene, const std::function<void(QPainter&, const GraphScene&)>& over);

    QSize m_size;
    qreal m_ratio = 1;
    QImage m_image; ///< Somewhat larger than m_size, so that resizing needs no new image at each step.
    QRegion m_old;
};

} // namespace helio
