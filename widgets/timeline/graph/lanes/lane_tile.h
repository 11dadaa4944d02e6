#pragma once

#include "widgets/timeline/graph/lanes/lane_styles.h"

#include <memory>

namespace helio {

/// Geometry and look of a tile.
struct TileShape {
    TimeScale scale; ///< Scale of the time area that the tile was made for, in device pixels.
    int first = 0; ///< First column of the tile in that scale; negative if left of the area.
    int columns = 0;
    int band = 0; ///< Height of the bars' band, in device pixels.
    int baseline = 0; ///< Number of lines from the top of the tile, which is the top of the tick lane, to the first line below the bars.
    int pixelScale = 1; ///< Device pixels per pixel of the patterns.
    std::shared_ptr<const LaneAppearance> look;

    bool operator==(const TileShape&) const = default;
    /// True if the other shape differs in its time range at most.
    bool looksLike(const TileShape& o) const
    {
        return band == o.band && baseline == o.baseline && pixelScale == o.pixelScale && look == o.look;
    }
};

/// Bars of a row as pixels. Made on the query thread, together with the spans, so that painting a row only copies lines, and so that a
/// tile of another time range can be shown stretched until the new one arrives. Pixels of value 0 are transparent. Empty and repeated lines
/// take no memory, as most rows are idle.
class LaneTile {
public:
    LaneTile() = default;
    LaneTile(const Spans& spans, TimeRange asked, TileShape shape);

    const TileShape& shape() const { return m_shape; }

    /// Paints the tile's lines over all columns of the raster for `scale`, the first line at `top`; `x` is the scale's zero in the raster.
    /// `ground` is a line as wide as the raster; it shows through transparent pixels and left and right of the tile.
    /// Cost: each pixel is written once, which takes half the time of painting over a painted ground.
    void paint(const Raster& raster, const TimeScale& scale, int x, int top, const QRgb* ground) const;

private:
    enum class Fill : std::uint8_t { Empty, Some, Full };
    struct Line {
        std::uint32_t at = 0; ///< Index into m_pixels. A line that equals the one above it shares its pixels.
        Fill fill = Fill::Empty;
        bool operator==(const Line&) const = default;
    };
    /// Columns [begin, end) of a raster that show the tile: consecutive tile columns from `source` on, or the tile columns listed in
    /// `columns`.
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
