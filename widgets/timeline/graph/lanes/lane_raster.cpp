#include "widgets/timeline/graph/lanes/lane_raster.h"

#include "widgets/paint/state_bar.h"

#include <algorithm>

namespace helio {

void Raster::fill(int x, int y, int w, int h, QRgb color) const
{
    const int right = std::min(x + w, width);
    const int bottom = std::min(y + h, height);
    x = std::max(x, 0);
    y = std::max(y, 0);
    if (right <= x || bottom <= y)
        return;
    for (; y < bottom; ++y)
        std::fill_n(line(y) + x, right - x, color);
}

LanePalette LanePalette::make(const StateLooks& looks, QColor ground, std::uint32_t dimmed)
{
    LanePalette palette;
    palette.gap = ground.rgb();
    for (std::size_t i = 0; i < looks.size(); ++i) {
        const bool isDimmed = i < 32 && (dimmed >> i & 1U) != 0;
        const QColor color = isDimmed ? mixed(ground, looks[i].color, 0.25) : looks[i].color;
        palette.colors.push_back(color.rgb());
        palette.faint.push_back(mixed(ground, color, HatchTint).rgb());
        palette.grounds.push_back(mixed(ground, color, FenceTint).rgb());
        palette.drawings.push_back(looks[i].drawing);
        palette.areRare.push_back(looks[i].isRare);
    }
    return palette;
}

namespace {

/// Painter for one rectangle of one state in its drawing style. `top` is the first pixel row, `bottom` the row after the last.
class PartPainter {
public:
    PartPainter(const Raster& raster, const LanePalette& palette)
        : m_raster(raster)
        , m_palette(palette)
    {
    }

    void paint(const LaneRun& run, std::size_t state, int x, int top, int bottom) const
    {
        switch (m_palette.drawings[state]) {
        case BarPattern::Hatched:
            if (!m_palette.areRare[state] || run.isPure || run.width > 1 || bottom - top > 3 * m_raster.scale)
                return hatch(run, state, x, top, bottom);
            break;
        case BarPattern::Dashed: return dash(run, state, x, top, bottom, 7, 4);
        case BarPattern::Dotted: return dash(run, state, x, top, bottom, 4, 1);
        case BarPattern::CutCorner:
            if (run.isPure && run.startsBar)
                return cut(run, state, x, top, bottom);
            break;
        case BarPattern::Fence:
            if (run.isPure && run.width >= 4 * m_raster.scale)
                return fence(run, state, x, top, bottom);
            break;
        case BarPattern::Plain:
        case BarPattern::Line: break;
        }
        m_raster.fill(x, top, run.width, bottom - top, m_palette.colors[state]);
    }

private:
    void hatch(const LaneRun& run, std::size_t state, int x, int top, int bottom) const
    {
        const int right = std::min(x + run.width, m_raster.width);
        for (int y = std::max(0, top); y < std::min(bottom, m_raster.height); ++y) {
            QRgb* line = m_raster.line(y);
            for (int i = std::max(0, x); i < right; ++i)
                line[i] = isOnHatchStroke(i, y, m_raster.scale) ? m_palette.colors[state] : m_palette.faint[state];
        }
    }

    void dash(const LaneRun& run, std::size_t state, int x, int top, int bottom, int period, int on) const
    {
        period *= m_raster.scale;
        on *= m_raster.scale;
        for (int i = x - x % period; i < x + run.width; i += period) {
            const int from = std::max(x, i);
            const int to = std::min(x + run.width, i + on);
            if (to > from)
                m_raster.fill(from, top, to - from, bottom - top, m_palette.colors[state]);
        }
    }

    void cut(const LaneRun& run, std::size_t state, int x, int top, int bottom) const
    {
        const int corner = 4 * m_raster.scale;
        for (int y = top; y < bottom; ++y) {
            const int off = std::clamp(corner - (y - top), 0, run.width);
            m_raster.fill(x + off, y, run.width - off, 1, m_palette.colors[state]);
        }
    }

    /// Paints a fence (see FenceTint): a horizontal line at the top, and vertical lines below it at fixed columns of the picture.
    void fence(const LaneRun& run, std::size_t state, int x, int top, int bottom) const
    {
        const int rail = std::min(2 * m_raster.scale, bottom - top);
        m_raster.fill(x, top, run.width, rail, m_palette.colors[state]);
        m_raster.fill(x, top + rail, run.width, bottom - top - rail, m_palette.grounds[state]);
        const int from = std::max(x, 0), to = std::min(x + run.width, m_raster.width), period = 4 * m_raster.scale;
        for (int i = from - from % period; i < to; i += period) {
            const int left = std::max(from, i), right = std::min(to, i + 2 * m_raster.scale);
            if (right > left)
                m_raster.fill(left, top + rail, right - left, bottom - top - rail, m_palette.colors[state]);
        }
    }

    const Raster& m_raster;
    const LanePalette& m_palette;
};

/// True for a single column that several states share, which is the most frequent case if a long time range is visible. In this case, only
/// hatched, dashed and dotted states keep their drawing style.
bool isPlainColumn(const LaneRun& run, const Raster& raster, int x) { return run.width == 1 && !run.isPure && x >= 0 && x < raster.width; }

void paintColumn(const Raster& raster, int x, int top, int bottom, QRgb color)
{
    top = std::max(top, 0);
    QRgb* pixel = raster.bits + std::ptrdiff_t(top) * raster.stride + x;
    for (const int end = std::min(bottom, raster.height); top < end; ++top, pixel += raster.stride)
        *pixel = color;
}

bool isFilled(BarPattern drawing)
{
    return drawing == BarPattern::Plain || drawing == BarPattern::Line || drawing == BarPattern::CutCorner || drawing == BarPattern::Fence;
}

/// Paints the gap between two bars: blends one pixel column with the background, weight 0.55.
void paintParting(const Raster& raster, QRgb gap, int x, int top, int bottom)
{
    if (x < 0 || x >= raster.width)
        return;
    for (int y = std::max(0, top); y < std::min(bottom, raster.height); ++y) {
        QRgb& pixel = raster.line(y)[x];
        pixel = mixed(QColor(pixel), QColor(gap), 0.55).rgb();
    }
}

} // namespace

void paintLane(const Raster& raster, const LaneLayout& lane, const LanePalette& palette, LanePosition place)
{
    const PartPainter painter(raster, palette);
    for (const LaneRun& run : lane.runs) {
        const int x = run.x + place.x;
        const bool isColumn = isPlainColumn(run, raster, x);
        for (std::uint32_t i = run.firstPart; i < run.firstPart + run.parts; ++i) {
            const LaneStateShare& part = lane.parts[i];
            if (isColumn && isFilled(palette.drawings[part.state]))
                paintColumn(raster, x, place.baseline - part.to, place.baseline - part.from, palette.colors[part.state]);
            else
                painter.paint(run, part.state, x, place.baseline - part.to, place.baseline - part.from);
        }
        if (run.isParted)
            paintParting(raster, palette.gap, x, place.baseline - lane.parts[run.firstPart].to, place.baseline);
    }
    for (const LaneTick& tick : lane.ticks)
        raster.fill(tick.x + place.x, place.tickTop, raster.scale, 2 * raster.scale, palette.colors[tick.state]);
}

} // namespace helio
