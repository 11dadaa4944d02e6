#pragma once

#include "widgets/compare/axis_link.h"
#include "widgets/timeline/graph/axis/time_axis.h"

#include <QWidget>

#include <optional>

namespace helio {

/// Strip between the panels of A and B, with a handle at the common zero of both time axes. Dragging the left half of the handle moves side
/// A, dragging the right half moves side B. The keys Left and Right move side B by a pixel, with Shift side A.
/// Threads: UI thread.
class AlignmentGutter : public QWidget {
    Q_OBJECT

public:
    static constexpr int Height = 22;

    AlignmentGutter(AxisLink& link, TimeAxis& axisOfA, QWidget* parent = nullptr);

signals:
    void alignedByHand();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    /// Moves a side by a duration from the alignment `from`; positive durations move it to the right. `visible`: visible range of A then.
    void move(bool isA, Duration by, Alignment from, TimeRange visible);
    QRectF handle() const;
    double zeroX() const;

    AxisLink& m_link;
    TimeAxis& m_axis;
    struct DragState {
        bool isA;
        double x;
        Alignment at;
        TimeRange visible; ///< Visible range of A when the drag began.
    };
    std::optional<DragState> m_grip;
};

} // namespace helio
