#pragma once

#include "widgets/timeline/graph/graph_scene.h"

#include <QRegion>

#include <functional>

namespace helio {

/// The last frame of a time graph, without what moves with the pointer. Only what changed since is painted again. UI thread.
class GraphPicture {
public:
    /// Of the whole graph. What was shown stays where it was; what is new is old, as is all at another pixel ratio.
    void resize(QSize size, qreal pixelRatio);

    void markOld(const QRect& rect) { m_old += rect & QRect(QPoint(), m_size); }
    bool isOld() const { return !m_old.isEmpty(); }

    /// Moves what is shown up by `dy`; what comes into view is old. Where pixels cannot be moved all is.
    void scroll(int dy);

    /// Paints what is old: the scene, then `over` clipped to the time area.
    void compose(GraphScene scene, const std::function<void(QPainter&, const GraphScene&)>& over);

    /// A part of it, where it lies.
    void paint(QPainter& painter, const QRect& part) const;

private:
    void composePart(const GraphScene& scene, const std::function<void(QPainter&, const GraphScene&)>& over);

    QSize m_size;
    qreal m_ratio = 1;
    QImage m_image; ///< Somewhat larger than the size.
    QRegion m_old;
};

} // namespace helio
