#include "widgets/timegraph/graph_scene.h"

#include "widgets/paint/paint_cost.h"

#include <algorithm>
#include <cmath>

namespace helio {

std::pair<int, int> GraphScene::visibleRows() const
{
    if (!rows || rows->count() == 0)
        return {0, 0};
    const int first = std::max(0, rows->at(std::clamp(scrollY, 0, std::max(0, rows->height() - 1))));
    int last = first;
    while (last < rows->count() && rowTop(last) < size.height())
        ++last;
    return {first, last};
}

namespace {

/// Draws rows into the image's pixels.
class BarsRenderer {
public:
    BarsRenderer(const GraphScene& scene, QImage& image)
        : m_scene(scene)
        , m_ratio(scene.pixelRatio)
        , m_raster{reinterpret_cast<QRgb*>(image.bits()), image.width(), image.height(), int(image.bytesPerLine() / 4),
                   std::max(1, qRound(scene.pixelRatio))}
        , m_deviceScale(scene.scale.window(), image.width())
    {
        for (int i = 0; i < 5; ++i)
            m_frequencies[i] = scene.theme->color(QStringLiteral("freq.%1").arg(i)).rgb();
    }

    void render()
    {
        m_raster.fill(0, 0, m_raster.width, m_raster.height, m_scene.theme->color("surface.timeline").rgb());
        const auto [first, last] = m_scene.visibleRows();
        for (const auto& [row, role] :
             {std::pair{m_scene.hoveredRow, "surface.hover"}, std::pair{m_scene.selectedRow, "surface.selected"}}) {
            if (row >= first && row < last)
                background(row, m_scene.theme->color(role).rgb());
        }
        grid();
        for (int row = first; row < last; ++row)
            bars(row);
    }

private:
    int device(double y) const { return qRound(y * m_ratio); }

    void background(int row, QRgb color)
    {
        const int top = device(m_scene.rowTop(row));
        m_raster.fill(0, top, m_raster.width, device(m_scene.rowTop(row) + m_scene.rows->metrics(row).height) - top, color);
    }

    void grid()
    {
        if (!m_scene.ticks)
            return;
        const QRgb color = m_scene.theme->color("line.grid").rgb();
        for (const Tick& tick : m_scene.ticks->ticks) {
            const double x = m_deviceScale.xAt(tick.at);
            if (tick.isMajor && x >= 0 && x < m_raster.width)
                m_raster.fill(int(x), 0, m_raster.scale, m_raster.height, color);
        }
    }

    void bars(int row)
    {
        const GraphRow& it = (*m_scene.rows)[row];
        const auto lane = m_scene.lanes->find(it.ref);
        if (!it.ref.isValid() || lane == m_scene.lanes->end() || !lane->second)
            return;
        const RowMetrics metrics = m_scene.rows->metrics(row);
        const int top = m_scene.rowTop(row);
        const LaneLook& look = m_scene.looks->of(statesOf(*m_scene.timeline, it.ref), it.kind);
        layOutLane(lane->second->spans, look.looks, m_deviceScale, device(top + metrics.baseline()) - device(top + metrics.bandTop),
                   m_layout);
        paintLane(m_raster, m_layout, look.palette, {device(top + metrics.baseline()), device(top + metrics.tickTop), 0});
        if (metrics.frequencyTop > 0 && it.frequency.isValid())
            frequency(it.frequency, device(top + metrics.frequencyTop));
    }

    void frequency(TrackRef ref, int top)
    {
        const auto lane = m_scene.lanes->find(ref);
        if (lane == m_scene.lanes->end() || !lane->second || m_scene.frequencyMax <= 0)
            return;
        const int height = device(FrequencyHeight);
        for (const Span& span : lane->second->spans.spans) {
            const double share = double(span.value) / m_scene.frequencyMax;
            const int x = int(std::lround(std::max(0.0, m_deviceScale.xAt(span.range.begin))));
            const int right = int(std::lround(std::min(m_deviceScale.width(), m_deviceScale.xAt(span.range.end))));
            m_raster.fill(x, top, std::max(1, right - x), height, m_frequencies[std::clamp(int(share * 5), 0, 4)]);
        }
    }

    const GraphScene& m_scene;
    double m_ratio;
    Raster m_raster;
    TimeScale m_deviceScale;
    LaneLayout m_layout;
    QRgb m_frequencies[5]{};
};

} // namespace

void renderBars(const GraphScene& scene, QImage& image)
{
    const PaintStopwatch watch(PaintCost::instance().bars);
    const QSize size = (QSizeF(scene.timeArea().size()) * scene.pixelRatio).toSize();
    if (size.isEmpty()) {
        image = {};
        return;
    }
    if (image.size() != size || image.format() != QImage::Format_RGB32)
        image = QImage(size, QImage::Format_RGB32);
    image.setDevicePixelRatio(1);
    if (scene.scale.isValid() && scene.rows && scene.timeline)
        BarsRenderer(scene, image).render();
    else
        image.fill(scene.theme->color("surface.timeline"));
    image.setDevicePixelRatio(scene.pixelRatio);
}

} // namespace helio
