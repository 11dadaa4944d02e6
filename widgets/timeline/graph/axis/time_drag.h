#pragma once

#include "widgets/timeline/graph/axis/time_axis.h"

#include <QPoint>

#include <functional>
#include <optional>

namespace helio {

/// Drag in a time area. The left button selects a range or moves an edge of the range, the middle button (or Space and the left button)
/// pans, and the right button zooms to the dragged range.
/// Threads: UI thread.
/// Ownership: owned by the widget that receives the mouse events.
class TimeDrag {
public:
    explicit TimeDrag(TimeAxis& axis)
        : m_axis(axis)
    {
    }

    /// Begins a drag at `at`, in coordinates of the panel. `width` is the width of the whole panel.
    void begin(QPoint at, int width, Qt::MouseButton button, bool isPanning);
    /// Moves the drag to `at`. `snap` returns the boundary that an edge at a given time snaps to, or nullopt.
    void move(QPoint at, const std::function<std::optional<Timestamp>(Timestamp)>& snap = {});
    /// Ends the drag. Returns false if the pointer moved so little that the press was a click.
    bool end();
    void cancel();

    bool isActive() const { return m_mode != Mode::None; }
    bool isPanning() const { return m_mode == Mode::Pan; }
    bool hasMoved() const { return m_hasMoved; }

    /// True if the pointer is on an edge of the selected range.
    bool isOnEdge(QPoint at, int width) const;

private:
    enum class Mode { None, Select, Pan, Zoom };

    Timestamp timeAt(int x) const;

    TimeAxis& m_axis;
    Mode m_mode = Mode::None;
    QPoint m_from;
    int m_width = 0;
    TimeScale m_scale; ///< Scale when the drag began.
    Timestamp m_anchor;
    bool m_hasMoved = false;
};

} // namespace helio
