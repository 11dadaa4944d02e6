#pragma once

#include "widgets/timeline/graph/lanes/lane_looks.h"

#include <memory>

namespace helio {

/// What a tile is made for.
struct TileShape {
    TimeScale scale; ///< Of the time area it was asked for, in device pixels.
    int first = 0; ///< The tile's first column in that scale: below 0 left of the area.
    int columns = 0;
    int band = 0; ///< Device pixels.
    int baseline = 0; ///< Lines from the tile's first, the tick lane's first, to the first one below the bars.
    int pixelScale = 1; ///< Device pixels a pixel of the drawings.
    std::shared_ptr<const LaneLook> look;

    bool operator==(const TileShape&) const = default;
    /// Whether only the stretch of time is another.
    bool looksLike(const TileShape& o) const
    {
        return band == o.band && baseline == o.baseline && pixelScale == o.pixelScale && look == o.look;
    }
};

/// A row's bars as pixels: made where spans are asked for, off the UI thread, so that painting a row is copying lines, and that a picture
/// of another stretch of time can be shown stretched until the right one comes. Pixels of 0 show the ground. Lines without bars take no
/// room: most rows rest.
class LaneTile {
public:
    LaneTile() = default;
    LaneTile(const Spans& spans, TimeRange asked, TileShape shape);

    const TileShape& shape() const { return m_shape; }

    /// Paints all columns of the raster in the tile's lines for a scale, its first line at `top`; `x` is where the scale's zero lies in the
    /// raster. `ground`, a line as wide as the raster, shows where the tile has nothing and left and right of it: each pixel is written
    /// once, which takes half the time of laying them over a painted ground.
    void paint(const Raster& raster, const TimeScale& scale, int x, int top, const QRgb* ground) const;

private:
    enum class Fill : std::uint8_t { Empty, Some, Full };
    struct Line {
        std::uint32_t at = 0; ///< In m_pixels; a line that equals the one above shares its pixels.
        Fill fill = Fill::Empty;
        bool operator==(const Line&) const = default;
    };
    /// Columns [begin, end) of a raster show the tile: side by side from `source` on, or by `columns`.
    struct Shown {
        int begin = 0;
        int end = 0;
        int source = 0;
        const std::vector<int>* columns = nullptr;
    };

    Shown copied(const Raster& raster, int x) const;
    Shown stretched(const Raster& raster, const TimeScale& scale, int x) const;
    void paintLine(const Line& line, const Shown& shown, int width, const QRgb* ground, QRgb* target) const;

    TileShape m_shape;
    std::vector<Line> m_lines;
    std::vector<QRgb> m_pixels;
};

} // namespace helio
