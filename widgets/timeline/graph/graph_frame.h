#pragma once

#include "widgets/timeline/graph/arrows/arrow_layout.h"
#include "widgets/timeline/graph/axis/time_axis.h"
#include "widgets/timeline/graph/graph_picture.h"

namespace helio {

/// What a time graph has on screen, but for the marks of time, and what of that is to be painted anew: its parts go by what changes them.
/// The graph owns it; it updates the graph's widget. UI thread.
class GraphFrame {
public:
    /// `layOut`: the arrows as they would be painted now. All that is referred to outlives the frame.
    GraphFrame(QWidget& owner, const TimeAxis& axis, const GraphRows& rows, std::function<ArrowLayout()> layOut);

    void refresh(); ///< Everything.
    void refreshBars(); ///< All but the label column.
    void refreshLabels(); ///< Only that.
    void refreshRow(int row); ///< Nothing for -1.
    void refreshLitRows(int hovered, int selected); ///< Others may be hovered or selected than those painted.
    void refreshRange(); ///< Another range may be shown than the one painted.
    void refreshArrows(); ///< Where they are others than those painted.
    void refreshTicks(); ///< Times are written in another way.
    /// The rows were scrolled to `y`. What was painted moves along; with words over it that stay where they are, all is painted anew.
    void scrollTo(int y, bool hasStillWords);

    /// Paints what is old. The scene is asked for where anything is; `over` paints what lies over the bars and below the arrows.
    void compose(const std::function<GraphScene()>& scene, const std::function<void(QPainter&)>& over);
    void paint(QPainter& painter, const QRegion& region) const;
    const ArrowLayout& arrows() const { return m_arrows; } ///< As painted, in the time area's own coordinates.

private:
    void markOld(const QRect& rect);
    QRect timeArea() const;

    QWidget& m_owner;
    const TimeAxis& m_axis;
    const GraphRows& m_rows;
    std::function<ArrowLayout()> m_layOut;
    GraphPicture m_picture;
    Ticks m_ticks;
    TimeScale m_ticksScale; ///< That they are for.
    ArrowLayout m_arrows;
    bool m_areArrowsOld = true;
    int m_scrollY = 0;
    int m_hoveredRow = -1; ///< As painted, as those below.
    int m_selectedRow = -1;
    TimeRange m_range;
};

} // namespace helio
