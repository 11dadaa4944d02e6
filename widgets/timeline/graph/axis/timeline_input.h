#pragma once

#include "widgets/timeline/graph/axis/time_drag.h"

#include <QPoint>

class QKeyEvent;
class QMouseEvent;
class QWheelEvent;
class QWidget;

namespace helio {

/// Mouse, wheel and key handling that all time panels share: zoom, pan, select a range, resize the label column. A panel passes its events
/// to this class first, and handles the events that are not accepted.
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

    /// Zooms or pans by the wheel. Returns false for a turn without modifiers: the panel then scrolls by scrollNotches().
    bool handleWheel(const QWheelEvent& event);
    static double scrollNotches(const QWheelEvent& event);

    /// Handles a mouse press. Returns false in the label column, where the panel handles it.
    bool press(const QMouseEvent& event);
    /// Handles a mouse move. Returns true while the user drags. `snap` is passed to TimeDrag::move() while Alt or Shift is held.
    bool move(const QMouseEvent& event, const std::function<std::optional<Timestamp>(Timestamp)>& snap = {});
    enum class Release { Nothing, Drag, Click };
    Release release();

    /// Handles a key. Returns false for keys that have no function in all time panels.
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
