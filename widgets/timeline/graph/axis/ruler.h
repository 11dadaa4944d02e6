#pragma once

#include "widgets/timeline/graph/axis/ruler_scene.h"
#include "widgets/timeline/graph/axis/time_axis.h"
#include "widgets/timeline/graph/axis/time_drag.h"

#include <QWidget>

namespace helio {

/// Time ruler above all panels: ticks, the selected range with its duration, the cursor's flag, bookmarks and search hits.
/// Threads: UI thread.
class Ruler : public QWidget {
    Q_OBJECT

public:
    explicit Ruler(TimeAxis& axis, QWidget* parent = nullptr);

signals:
    void contextMenuRequested(const QPoint& globalPos, helio::Timestamp at);

protected:
    void paintEvent(QPaintEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    RulerScene scene() const;
    Timestamp timeAt(const QPoint& at) const;
    bool isOnSplitter(const QPoint& at) const { return std::abs(at.x() - m_axis.labelWidth()) <= 2; }

    TimeAxis& m_axis;
    TimeDrag m_drag;
    bool m_dragsSplitter = false;
};

} // namespace helio
