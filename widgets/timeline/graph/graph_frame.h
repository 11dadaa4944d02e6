#pragma once

#include "widgets/timeline/graph/arrows/arrow_layout.h"
#include "widgets/timeline/graph/axis/time_axis.h"
#include "widgets/timeline/graph/graph_picture.h"

namespace helio {

/// Cached picture of a time graph without the time marks, and the region that must be repainted. Each refresh function marks the region
/// affected by one kind of change.
/// Threads: UI thread.
/// Ownership: owned by the graph, whose widget it updates.
class GraphFrame {
public:
    /// `layOut` returns the current layout of the arrows. All referenced objects must outlive the frame.
    GraphFrame(QWidget& owner, const TimeAxis& axis, const GraphRows& rows, std::function<ArrowLayout()> layOut);

    void refresh(); ///< Marks the whole picture for repainting.
    void refreshBars(); ///< Marks the time area for repainting.
    void refreshLabels(); ///< Marks the label column for repainting.
    void refreshRow(int row); ///< Marks a row for repainting; does nothing for -1.
    /// Marks for repainting the rows that became hovered or selected since they were painted, and the rows that no
    /// longer are.
    void refreshLitRows(int hovered, int selected);
    void refreshRange(); ///< Marks for repainting the columns that an edge of TimeAxis::shownRange() moved across.
    void refreshArrows(); ///< Marks the time area for repainting if the arrows have changed.
    void refreshTicks(); ///< Updates the ticks after the time format changed.
    /// Scrolls the picture to row offset `y`. `hasStillWords`: true if a text is painted over the rows that does not scroll with them; the
    /// whole picture is then marked for repainting.
    void scrollTo(int y, bool hasStillWords);

    /// Repaints the marked region. `scene` is only called if the region is not empty; `over` paints everything above bars and arrows.
    void compose(const std::function<GraphScene()>& scene, const std::function<void(QPainter&)>& over);
    void paint(QPainter& painter, const QRegion& region) const;
    /// Arrows as last painted, in coordinates of the time area.
    const ArrowLayout& arrows() const { return m_arrows; }

private:
    void markOld(const QRect& rect);
    QRect timeArea() const;

    QWidget& m_owner;
    const TimeAxis& m_axis;
    const GraphRows& m_rows;
    std::function<ArrowLayout()> m_layOut;
    GraphPicture m_picture;
    Ticks m_ticks;
    TimeScale m_ticksScale;
    ArrowLayout m_arrows;
    bool m_areArrowsOld = true;
    int m_scrollY = 0;
    /// Row that the picture shows as hovered; -1 if none. m_selectedRow and m_range also describe the painted picture.
    int m_hoveredRow = -1;
    int m_selectedRow = -1;
    TimeRange m_range;
};

} // namespace helio
