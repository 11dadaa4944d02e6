#pragma once

#include "widgets/timeline/graph/axis/time_drag.h"

#include <QPoint>

class QKeyEvent;
class QMouseEvent;
class QWheelEvent;
class QWidget;

namespace helio {

/// Mouse, wheel and key handling that all time panels share: zoom, pan, select a range, move the edge of the label column. The panel passes
/// its events here first, and handles those that are not accepted.
/// Threads: UI thread.
/// Ownership: owned by the panel's widget.
class TimelineInput {
public:
    TimelineInput(TimeAxis& axis, const QWidget& owner)
        : m_axis(axis)
        , m_owner(owner)
        , m_drag(axis)
    {
    }

    /// Returns false if the wheel is turned without modifiers: the panel scrolls by scrollNotches().
    bool handleWheel(const QWheelEvent& event);
    static double scrollNotches(const QWheelEvent& event);

    /// Returns false for a press in the label column, which the panel handles.
    bool press(const QMouseEvent& event);
    /// Returns true while the user drags. `snap` is passed to TimeDrag::move() while Alt or Shift is held.
    bool move(const QMouseEvent& event, const std::function<std::optional<Timestamp>(Timestamp)>& snap = {});
    enum class Release { Nothing, Drag, Click };
    Release release();

    /// Returns false if the key has no function here.
    bool pressKey(const QKeyEvent& event);
    void releaseKey(const QKeyEvent& event);
    void releaseSpace() { m_isSpaceDown = false; }

    bool isSpaceDown() const { return m_isSpaceDown; }
    bool isDragging() const { return m_drag.isActive(); }
    Qt::CursorShape shapeAt(QPoint at) const;
    bool isInLabels(QPoint at) const { return at.x() < m_axis.labelWidth(); }
    Timestamp timeAt(QPoint at) const;
    QRect timeArea() const;

private:
    bool isOnSplitter(QPoint at) const { return std::abs(at.x() - m_axis.labelWidth()) <= 2; }

    TimeAxis& m_axis;
    const QWidget& m_owner;
    TimeDrag m_drag;
    bool m_isSpaceDown = false;
    bool m_dragsSplitter = false;
};

} // namespace helio
