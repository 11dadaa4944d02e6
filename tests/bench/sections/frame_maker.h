#pragma once

#include "widgets/timeline/graph/graph_scene.h"
#include "widgets/timeline/panels/graph_row_source.h"

#include <QImage>

#include <memory>
#include <string_view>

namespace helio::bench {

/// Renders frames of a view like a window: rows are kept between frames, everything else is queried and painted for each frame.
/// Requires: a QGuiApplication.
/// Threads: one thread only.
class FrameRenderer {
public:
    /// Opens a view with the 200 busiest rows and their parents. `size`: in pixels, including ruler and label column.
    FrameRenderer(std::shared_ptr<const Timeline> timeline, QSize size, std::string_view view = "control-flow");

    /// Total height of the rows in pixels.
    int rowsHeight() const { return m_rows.height(); }
    int visibleRows() const;

    /// Queries spans, texts, meter shares and losses of the visible rows. With `asPixels`, also paints the rows on several threads, like
    /// a window outside the UI thread. Returns the CPU time of the slowest of these threads in seconds.
    double queryVisibleRows(TimeRange window, int scrollY, bool asPixels);
    void paintBars(); ///< Paints the time area without texts. Lays out the rows first if queryVisibleRows() ran without `asPixels`.
    void paintRest(); ///< Paints the ruler, marks, texts and the label column.

private:
    std::vector<LaneQuery> questionsOf(TimeRange window, bool asPixels);
    /// Queries the lanes on several threads; returns the CPU time of the slowest thread in seconds.
    double fetchLanes(const std::vector<LaneQuery>& questions);
    void queryWholeTrace(TimeRange window);

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
