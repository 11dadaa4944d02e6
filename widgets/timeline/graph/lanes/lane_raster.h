#pragma once

#include "widgets/timeline/graph/lanes/lane_layout.h"

#include <QRgb>

namespace helio {

/// Rows of 32-bit pixels to write into; somebody else's memory.
struct Raster {
    QRgb* bits = nullptr;
    int width = 0;
    int height = 0;
    int stride = 0; ///< Pixels from one line to the next.
    int scale = 1; ///< Device pixels a pixel of the drawings (hatches, corners, ticks).

    QRgb* line(int y) const { return bits + std::ptrdiff_t(y) * stride; }
    /// Clipped to the raster.
    void fill(int x, int y, int w, int h, QRgb color) const;
};

/// What a lane's pixels are made of, by state.
struct LanePalette {
    std::vector<QRgb> colors;
    std::vector<QRgb> faint; ///< Between the strokes of a hatch.
    std::vector<Drawing> drawings;
    std::vector<bool> areRare; ///< A lone low column is in full colour: most of a hatch there is tint, which is hardly found.
    QRgb gap = 0; ///< Parts two bars of one state: laid on at .55.

    /// `dimmed`: states whose bit is set are mixed into the ground.
    static LanePalette make(const StateLooks& looks, QColor ground, std::uint32_t dimmed = 0);
};

/// Where a lane stands in the raster.
struct LanePlace {
    int baseline = 0; ///< The first line below the bars.
    int tickTop = 0; ///< The tick lane's first line.
    int x = 0; ///< Of the scale's zero.
};

void paintLane(const Raster& raster, const LaneLayout& lane, const LanePalette& palette, LanePlace place);

} // namespace helio
