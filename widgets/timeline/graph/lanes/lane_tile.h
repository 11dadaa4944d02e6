#pragma once

#include "widgets/timeline/graph/lanes/lane_styles.h"

#include <memory>

namespace helio {

/// Size, scale and look of a tile.
struct TileShape {
    TimeScale scale; ///< Scale of the time area that the tile was made for, in device pixels.
    int first = 0; ///< First column of the tile in `scale`; negative if it is left of the time area.
    int columns = 0;
    int band = 0; ///< Height of the bars' band, in device pixels.
    /// Height of the tile in device pixels: from its top, where ticks are drawn, to the lower edge of the bars.
    int baseline = 0;
    int pixelScale = 1; ///< Device pixels per pixel of the patterns.
    std::shared_ptr<const LaneAppearance> look;

    bool operator==(const TileShape&) const = default;
    /// True if the tiles differ at most in their time range.
    bool looksLike(const TileShape& o) const
    {
        return band == o.band && baseline == o.baseline && pixelScale == o.pixelScale && look == o.look;
    }
};

/// Bars of a row as pixels. Made on the query thread together with the spans, so that painting a row only copies pixels; a tile of another
/// time range can be shown stretched until the new tile arrives. Pixels of value 0 are transparent. Empty and repeated pixel rows take no
/// memory, because most rows are idle.
class LaneTile {
public:
    LaneTile() = default;
    LaneTile(const Spans& spans, TimeRange asked, TileShape shape);

    const TileShape& shape() const { return m_shape; }

    /// Paints the tile over all columns of the raster for `scale`, starting at y = `top`; `x` is the scale's origin in the raster. `ground`
    /// is a background as wide as the raster; it shows through transparent pixels, and left and right of the tile.
    /// Cost: each pixel is written once, which takes half the time of painting over a painted background.
    void paint(const Raster& raster, const TimeScale& scale, int x, int top, const QRgb* ground) const;

private:
    enum class Fill : std::uint8_t { Empty, Some, Full };
    struct Line {
        std::uint32_t at = 0; ///< Index in m_pixels of this pixel row's first pixel. Equal consecutive rows share their pixels.
        Fill fill = Fill::Empty;
        bool operator==(const Line&) const = default;
    };
    /// Columns [begin, end) of the raster that the tile covers. They show consecutive columns of the tile, starting at `source`; if
    /// `columns` is not nullptr, it lists the tile column for each raster column.
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
