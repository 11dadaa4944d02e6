#pragma once

#include "widgets/timeline/graph/lanes/lane_layout.h"

#include <QRgb>

namespace helio {

/// Rows of 32-bit pixels to write into. Does not own them.
struct Raster {
    QRgb* bits = nullptr;
    int width = 0;
    int height = 0;
    int stride = 0; ///< Distance between two lines, in pixels.
    int scale = 1; ///< Device pixels per pixel of the patterns (hatches, cut corners, ticks).

    QRgb* line(int y) const { return bits + std::ptrdiff_t(y) * stride; }
    /// Fills a rectangle, clipped to the raster.
    void fill(int x, int y, int w, int h, QRgb color) const;
};

/// Colours and drawing styles of a lane, by state.
struct LanePalette {
    std::vector<QRgb> colors;
    std::vector<QRgb> faint; ///< Colours between the strokes of a hatch.
    std::vector<BarPattern> drawings;
    /// True if a low single column is filled with the full colour instead of hatched. It could hardly be seen hatched, as most of a hatch
    /// is tint.
    std::vector<bool> areRare;
    QRgb gap = 0; ///< Colour of the gap between two bars of one state, blended with weight 0.55.

    /// Makes the palette. States whose bit is set in `dimmed` are blended with the ground.
    static LanePalette make(const StateLooks& looks, QColor ground, std::uint32_t dimmed = 0);
};

/// Position of a lane in the raster.
struct LanePosition {
    int baseline = 0; ///< First line below the bars.
    int tickTop = 0; ///< First line of the tick lane.
    int x = 0; ///< x of the scale's zero.
};

void paintLane(const Raster& raster, const LaneLayout& lane, const LanePalette& palette, LanePosition place);

} // namespace helio
