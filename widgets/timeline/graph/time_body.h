#pragma once

#include "widgets/timeline/graph/axis/time_axis.h"
#include "widgets/timeline/graph/axis/time_marks.h"
#include "widgets/timeline/graph/axis/timeline_input.h"
#include "widgets/timeline/graph/tips/tip_controller.h"

#include <QWidget>

namespace helio {

/// Body of a time panel: a label column at the left, and a time area over the visible range at the right. Implements what all bodies have
/// in common: mouse, wheel, keys, focus, tooltip and time marks. Subclasses paint, and return what is at a point.
/// Threads: UI thread.
/// Ownership: the axis outlives it.
class TimeBody : public QWidget {
    Q_OBJECT

public:
    explicit TimeBody(TimeAxis& axis, QWidget* parent = nullptr);

    /// Sets the width in pixels that the body's own scroll bar leaves free at the right edge.
    virtual void setScrollMargin(int) { }

signals:
    /// Emitted on a right click. `row` is invalid if no row was clicked.
    void contextMenuRequested(const QPoint& globalPos, helio::TrackRef row, helio::Timestamp at);
    /// Emitted on Ctrl+Left and Ctrl+Right: the application steps through the events of the selected row.
    void eventStepRequested(bool forward);
    void focusShown(); ///< Emitted when the body gets the focus from the keyboard.

protected:
    TimeAxis& axis() const { return m_axis; }
    TipController& tips() { return m_tips; }
    QPoint hoveredAt() const { return m_hoveredAt; } ///< Last position of the pointer while no button was held.
    bool isDragging() const { return m_hand.isDragging(); }
    bool isInLabels(QPoint at) const { return m_hand.isInLabels(at); }
    Timestamp timeAt(QPoint at) const { return m_hand.timeAt(at); }
    QRect timeArea() const { return m_hand.timeArea(); }
    TimeScale deviceScale() const; ///< Scale of the time area, in device pixels.

    /// Paints the time marks over the cached picture: cursor, pointer, range, bookmarks.
    void paintMarks(QPainter& painter);
    void paintFocus(QPainter& painter) const; ///< Paints the focus frame if the body has the keyboard focus.
    /// Returns the bands around the marks that show the error bound of times, for rows of other hosts.
    virtual MarkBands bandsOf(const TimeMarks&) const { return {}; }
    void updateMarks(); ///< Repaints the time marks that changed, at their previous and at their present positions.

    /// Called when the pointer moved, with its position, or nullopt if it left the body.
    virtual void hoverOver(std::optional<QPoint> at) = 0;
    /// Requests a tooltip for the object at hoveredAt() from tips(), or hides the tooltip.
    virtual void requestTip() = 0;
    /// Scrolls by the wheel. Returns false if there is nothing to scroll.
    virtual bool scrollBy(QPoint at, double notches) = 0;
    virtual void pressLabel(QPoint at) = 0; ///< Handles a press of the left button in the label column.
    virtual void click(QPoint at) = 0; ///< Handles a click of the left button in the time area.
    virtual TrackRef trackAt(QPoint at) const = 0; ///< Returns the track at a point; invalid if there is none.
    /// Returns the boundary that a range edge at `time` snaps to, while Alt or Shift is held; nullopt if none is near.
    virtual std::optional<Timestamp> snapped(QPoint at, Timestamp time) const = 0;
    /// Handles keys without Ctrl, Alt and Meta, before the keys that all bodies share. Returns false for keys that it does not handle.
    virtual bool pressKey(const QKeyEvent& event) = 0;
    virtual Qt::CursorShape shapeAt(QPoint at) const { return m_hand.shapeAt(at); }

    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void hover(QPoint at);
    bool handleKey(const QKeyEvent& event);

    TimeAxis& m_axis;
    TimelineInput m_hand;
    TipController m_tips;
    TimeMarks m_marks; ///< Time marks as last painted.
    QPoint m_hoveredAt;
    bool m_showsFocus = false; ///< True if the body got the focus from the keyboard.
};

} // namespace helio
