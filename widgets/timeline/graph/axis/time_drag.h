#pragma once

#include "widgets/timeline/graph/axis/time_axis.h"

#include <QPoint>

#include <functional>
#include <optional>

namespace helio {

/// Dragging in a time area: left selects a range or moves its edge, middle (or Space and left) pans, right zooms to the range.
/// Owned by the widget that gets the mouse; UI thread.
class TimeDrag {
public:
    explicit TimeDrag(TimeAxis& axis)
        : m_axis(axis)
    {
    }

    /// `width` of the whole panel; positions in its coordinates.
    void begin(QPoint at, int width, Qt::MouseButton button, bool isPanning);
    /// `snap` gives the boundary an edge shall be held to, if any.
    void move(QPoint at, const std::function<std::optional<Timestamp>(Timestamp)>& snap = {});
    /// False where nothing was dragged: it was a click.
    bool end();
    void cancel();

    bool isActive() const { return m_mode != Mode::None; }
    bool isPanning() const { return m_mode == Mode::Pan; }
    bool hasMoved() const { return m_hasMoved; }

    /// Whether the pointer is on an edge of the selected range.
    bool isOnEdge(QPoint at, int width) const;

private:
    enum class Mode { None, Select, Pan, Zoom };

    Timestamp timeAt(int x) const;

    TimeAxis& m_axis;
    Mode m_mode = Mode::None;
    QPoint m_from;
    int m_width = 0;
    TimeScale m_scale; ///< When the drag began.
    Timestamp m_anchor;
    bool m_hasMoved = false;
};

} // namespace helio
