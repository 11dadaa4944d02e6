#pragma once

#include "widgets/timeline/graph/lanes/lane_layout.h"

#include <QRgb>

namespace helio {

/// Pixel buffer to paint into, 32 bits per pixel.
/// Ownership: refers to memory of the caller.
struct Raster {
    QRgb* bits = nullptr;
    int width = 0;
    int height = 0;
    int stride = 0; ///< Distance between the starts of two pixel rows, in pixels.
    int scale = 1; ///< Device pixels per pixel of the patterns (hatches, cut corners, ticks).

    QRgb* line(int y) const { return bits + std::ptrdiff_t(y) * stride; }
    /// Fills a rectangle, clipped to the raster.
    void fill(int x, int y, int w, int h, QRgb color) const;
};

/// Colours and drawing styles of a lane, indexed by state.
struct LanePalette {
    std::vector<QRgb> colors;
    std::vector<QRgb> faint; ///< Colours between the strokes of a hatched state.
    std::vector<QRgb> grounds; ///< Colours between the vertical lines of a fence (see FenceTint), by state.
    std::vector<BarPattern> drawings;
    /// True for states that must be noticed even if they are short. Where such a state is hatched, but only one pixel wide and at most 3
    /// pixels high, it is filled with its full colour, because a hatch would hardly be visible there.
    std::vector<bool> areRare;
    QRgb gap = 0; ///< Background colour, which is blended into the gap between two bars of the same state.

    /// Makes the palette for the states in `looks`. The colours of states whose bit is set in `dimmed` are blended with the background
    /// `ground`.
    static LanePalette make(const StateLooks& looks, QColor ground, std::uint32_t dimmed = 0);
};

/// Position of a lane in a raster, in pixels.
struct LanePosition {
    int baseline = 0; ///< y of the first pixel row below the bars.
    int tickTop = 0; ///< y of the first pixel row of the tick lane.
    int x = 0; ///< x in the raster at which position 0 of the LaneLayout is painted.
};

void paintLane(const Raster& raster, const LaneLayout& lane, const LanePalette& palette, LanePosition place);

} // namespace helio
