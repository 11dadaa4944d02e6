#pragma once

#include "widgets/timeline/graph/axis/time_axis.h"
#include "widgets/timeline/graph/axis/time_marks.h"
#include "widgets/timeline/graph/axis/timeline_input.h"
#include "widgets/timeline/graph/tips/tip_controller.h"

#include <QWidget>

namespace helio {

/// Body of a time panel: a label column at the left, and an area over the axis's visible range at the right. Implements what all bodies
/// have in common: mouse, wheel, keys, focus, tooltip and time marks. Subclasses paint, and say what is under a point.
/// Threads: UI thread.
/// Ownership: the axis outlives it.
class TimeBody : public QWidget {
    Q_OBJECT

public:
    explicit TimeBody(TimeAxis& axis, QWidget* parent = nullptr);

    /// Sets the width in pixels that the body's own scroll bar leaves free at the right edge.
    virtual void setScrollMargin(int) { }

signals:
    /// Emitted on a right click. `row` is invalid if the click was on none.
    void contextMenuRequested(const QPoint& globalPos, helio::TrackRef row, helio::Timestamp at);
    /// Emitted on Ctrl+Left and Ctrl+Right: the application steps through the events of the selected row.
    void eventStepRequested(bool forward);
    void focusShown(); ///< Emitted when the body gets the focus by the keyboard.

protected:
    TimeAxis& axis() const { return m_axis; }
    TipController& tips() { return m_tips; }
    QPoint hoveredAt() const { return m_hoveredAt; } ///< Last position of the pointer while no button was held.
    bool isDragging() const { return m_hand.isDragging(); }
    bool isInLabels(QPoint at) const { return m_hand.isInLabels(at); }
    Timestamp timeAt(QPoint at) const { return m_hand.timeAt(at); }
    QRect timeArea() const { return m_hand.timeArea(); }
    TimeScale deviceScale() const; ///< Scale of the time area, in device pixels.

    /// Paints the time marks of a time panel over the cached picture: cursor, pointer, range, bookmarks.
    void paintMarks(QPainter& painter);
    void paintFocus(QPainter& painter) const; ///< Paints the frame of the keyboard focus; nothing without the focus.
    /// Returns the bands of uncertainty around the marks, for rows whose times have an error bound.
    virtual MarkBands bandsOf(const TimeMarks&) const { return {}; }
    void updateMarks(); ///< Repaints the areas that the time marks cover and covered.

    /// Called when another object may be under the pointer; nullopt if the pointer has left.
    virtual void hoverOver(std::optional<QPoint> at) = 0;
    /// Requests a tooltip of what is at hoveredAt() from tips(), or hides it.
    virtual void requestTip() = 0;
    /// Handles the wheel. Returns false if there is nothing to scroll.
    virtual bool scrollBy(QPoint at, double notches) = 0;
    virtual void pressLabel(QPoint at) = 0; ///< Handles the left button in the label column.
    virtual void click(QPoint at) = 0; ///< Handles a click of the left button in the time area.
    virtual TrackRef trackAt(QPoint at) const = 0; ///< Returns the track at a point; invalid if there is none.
    /// Returns the time that an edge of the range snaps to in place of `time`, while Alt or Shift is held; nullopt if there is none.
    virtual std::optional<Timestamp> snapped(QPoint at, Timestamp time) const = 0;
    /// Handles keys without Ctrl, Alt and Meta, before the keys that all bodies have. Returns false for other keys.
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
    TimeMarks m_marks; ///< Marks that are painted.
    QPoint m_hoveredAt;
    bool m_showsFocus = false; ///< True if the focus came by the keyboard.
};

} // namespace helio
