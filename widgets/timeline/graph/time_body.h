#pragma once

#include "widgets/timeline/graph/axis/mark_bands.h"
#include "widgets/timeline/graph/axis/time_axis.h"
#include "widgets/timeline/graph/axis/time_hand.h"
#include "widgets/timeline/graph/axis/time_marks.h"
#include "widgets/timeline/graph/tips/tip_shower.h"

#include <QWidget>

namespace helio {

/// The body of a time panel: a label column at the left and something over the axis's time at the right. Does what all bodies do alike with
/// mouse, wheel, keys, focus, popup and the marks of time; who derives paints, and answers what lies under a point. The axis outlives it.
/// UI thread.
class TimeBody : public QWidget {
    Q_OBJECT

public:
    explicit TimeBody(TimeAxis& axis, QWidget* parent = nullptr);

    /// Pixels at the right edge, left of which a bar to scroll by stands.
    virtual void setScrollMargin(int) { }

signals:
    /// Right click: where, and on what. The row is not valid where there is none.
    void contextMenuRequested(const QPoint& globalPos, helio::TrackRef row, helio::Timestamp at);
    /// Ctrl+Left and Ctrl+Right: the application steps through the events of the selected row.
    void eventStepRequested(bool forward);
    void focusShown(); ///< The keyboard's focus came here.

protected:
    TimeAxis& axis() const { return m_axis; }
    TipShower& tips() { return m_tips; }
    QPoint hoveredAt() const { return m_hoveredAt; } ///< Where the pointer was last, without a button held.
    bool isDragging() const { return m_hand.isDragging(); }
    bool isInLabels(QPoint at) const { return m_hand.isInLabels(at); }
    Timestamp timeAt(QPoint at) const { return m_hand.timeAt(at); }
    QRect timeArea() const { return m_hand.timeArea(); }
    TimeScale deviceScale() const; ///< Of the time area, in device pixels.

    /// Of a time panel: cursor, pointer, range, bookmarks. They are painted over everything that is kept as a picture.
    void paintMarks(QPainter& painter);
    void paintFocus(QPainter& painter) const; ///< The frame that the keyboard's focus has; nothing without it.
    /// Beside those marks: what on some rows is as wide as times there are unsure.
    virtual MarkBands bandsOf(const TimeMarks&) const { return {}; }
    void updateMarks(); ///< What they cover or covered is painted again.

    /// What lies under the pointer may be something else; nothing: it has left.
    virtual void hoverOver(std::optional<QPoint> at) = 0;
    /// tips(): ask for what lies at hoveredAt(), or hide.
    virtual void requestTip() = 0;
    /// The wheel. False: there is nothing to scroll.
    virtual bool scrollBy(QPoint at, double notches) = 0;
    virtual void pressLabel(QPoint at) = 0; ///< With the left button, in the label column.
    virtual void click(QPoint at) = 0; ///< With the left button, in the time area.
    virtual TrackRef trackAt(QPoint at) const = 0; ///< Not valid: none.
    /// What an edge of the range goes to in place of a time, where the keys for it are held.
    virtual std::optional<Timestamp> snapped(QPoint at, Timestamp time) const = 0;
    /// Keys without Ctrl, Alt and Meta, before those that all bodies have. False: another key.
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
    TimeHand m_hand;
    TipShower m_tips;
    TimeMarks m_marks; ///< As painted.
    QPoint m_hoveredAt;
    bool m_showsFocus = false; ///< The focus came by the keyboard.
};

} // namespace helio
