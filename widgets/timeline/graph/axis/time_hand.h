#pragma once

#include "widgets/timeline/graph/axis/time_drag.h"

#include <QPoint>

class QKeyEvent;
class QMouseEvent;
class QWheelEvent;
class QWidget;

namespace helio {

/// What mouse, wheel and keys do alike in every panel over time: zoom, pan, select a range, move the edge of the label column. The panel
/// hands over its events first, and does with the others what is its own. Owned by that widget; UI thread.
class TimeHand {
public:
    TimeHand(TimeAxis& axis, const QWidget& owner)
        : m_axis(axis)
        , m_owner(owner)
        , m_drag(axis)
    {
    }

    /// False: the wheel is turned to scroll, by scrollNotches().
    bool turnWheel(const QWheelEvent& event);
    static double scrollNotches(const QWheelEvent& event);

    /// False: a press in the label column that is the panel's.
    bool press(const QMouseEvent& event);
    /// True: something is dragged. `snap` as TimeDrag::move() has it, asked where the keys for it are held.
    bool move(const QMouseEvent& event, const std::function<std::optional<Timestamp>(Timestamp)>& snap = {});
    enum class Release { Nothing, Drag, Click };
    Release release();

    /// False: another key.
    bool pressKey(const QKeyEvent& event);
    void releaseKey(const QKeyEvent& event);
    void letGoOfSpace() { m_isSpaceDown = false; }

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
