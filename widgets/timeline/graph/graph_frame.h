#pragma once

#include "widgets/timeline/graph/arrows/arrow_layout.h"
#include "widgets/timeline/graph/axis/time_axis.h"
#include "widgets/timeline/graph/graph_picture.h"

namespace helio {

/// Picture of a time graph without the time marks, with the region that is outdated. Each refresh function marks the region
/// affected by a kind of change.
/// Threads: UI thread.
/// Ownership: owned by the graph, whose widget it updates.
class GraphFrame {
public:
    /// `layOut` returns the current layout of the arrows. All references must outlive the frame.
    GraphFrame(QWidget& owner, const TimeAxis& axis, const GraphRows& rows, std::function<ArrowLayout()> layOut);

    void refresh(); ///< Marks everything.
    void refreshBars(); ///< Marks everything but the label column.
    void refreshLabels(); ///< Marks the label column.
    void refreshRow(int row); ///< Does nothing for -1.
    void refreshLitRows(int hovered, int selected); ///< The hovered or selected row may differ from the painted one.
    void refreshRange(); ///< The shown range may differ from the painted one.
    void refreshArrows(); ///< Marks the time area if the arrows differ from the painted ones.
    void refreshTicks(); ///< The format of times has changed.
    /// The rows were scrolled to `y`. Moves the picture along; marks everything if `hasStillWords`, as texts over the rows do not scroll.
    void scrollTo(int y, bool hasStillWords);

    /// Paints the outdated parts. `scene` is only called if there are any; `over` paints what lies above the bars and the arrows.
    void compose(const std::function<GraphScene()>& scene, const std::function<void(QPainter&)>& over);
    void paint(QPainter& painter, const QRegion& region) const;
    /// Arrows as painted, in coordinates of the time area.
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
    TimeScale m_ticksScale; ///< Scale that m_ticks was made for.
    ArrowLayout m_arrows;
    bool m_areArrowsOld = true;
    int m_scrollY = 0;
    int m_hoveredRow = -1; ///< Painted value, like m_selectedRow and m_range.
    int m_selectedRow = -1;
    TimeRange m_range;
};

} // namespace helio
