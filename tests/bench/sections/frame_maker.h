#pragma once

#include "widgets/timeline/graph/graph_scene.h"
#include "widgets/timeline/panels/graph_row_source.h"

#include <QImage>

#include <memory>
#include <string_view>

namespace helio::bench {

/// Makes pictures of a view as a window does: rows are kept, the rest is asked for and painted for each frame.
/// Needs a QGuiApplication. Used from one thread.
class FrameMaker {
public:
    /// Of the 200 busiest rows and what they hang below. `size`: pixels, ruler and label column included.
    FrameMaker(std::shared_ptr<const Timeline> timeline, QSize size, std::string_view view = "control-flow");

    /// How far down the rows go, in pixels.
    int rowsHeight() const { return m_rows.height(); }
    int visibleRows() const;

    /// Spans, texts, shares of the meters, losses; rows as pixels where they are asked for, as a window does off its thread: on several.
    /// Returns the seconds that the slowest of these threads took, of its own time.
    double ask(TimeRange window, int scrollY, bool asPixels);
    void paintBars(); ///< The time area's picture without texts. Lays the rows out where there are no pixels.
    void paintRest(); ///< All else: ruler, marks, texts, the label column.

private:
    std::vector<LaneQuery> questionsOf(TimeRange window, bool asPixels);
    double fetchLanes(const std::vector<LaneQuery>& questions); ///< Returns the seconds of the slowest thread.
    void askOfWhole(TimeRange window);

    std::shared_ptr<const Timeline> m_timeline;
    Theme m_theme;
    Fonts m_fonts;
    LaneStyles m_looks;
    GraphRows m_rows;
    Lanes m_lanes;
    Shares m_shares;
    std::vector<LossRange> m_losses;
    Ticks m_ticks;
    TimeFormat m_format;
    GraphScene m_scene;
    QSize m_size;
    QImage m_bars;
    QImage m_picture;
};

} // namespace helio::bench
