#include "widgets/timeline/graph/graph_scene.h"

#include "widgets/paint/paint_cost.h"
#include "widgets/timeline/graph/lanes/sample_density.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace helio {

std::pair<int, int> GraphScene::rowsBetween(int top, int bottom) const
{
    if (!rows || rows->count() == 0 || bottom <= top)
        return {0, 0};
    const int first = std::max(0, rows->at(std::clamp(top + scrollY, 0, std::max(0, rows->height() - 1))));
    int last = first;
    while (last < rows->count() && rowTop(last) < bottom)
        ++last;
    return {first, last};
}

QRect GraphScene::boxRect() const
{
    if (boxRows.empty() || selection.isEmpty() || !scale.isValid())
        return {};
    const double left = std::clamp(scale.xAt(selection.begin), -2.0, scale.width() + 2);
    const double right = std::clamp(scale.xAt(selection.end), -2.0, scale.width() + 2);
    const int top = rowTop(boxRows.front());
    return {labelWidth + int(left), top, int(right) - int(left), rowTop(boxRows.back() + 1) - top};
}

TileShape GraphScene::tileShape(int row) const
{
    const GraphRow& it = (*rows)[row];
    const RowMetrics metrics = rows->metrics(row);
    TileShape shape;
    shape.scale = TimeScale(scale.window(), double(device(scale.width())));
    shape.band = device(metrics.band);
    shape.baseline = device(metrics.baseline() - metrics.tickTop);
    shape.pixelScale = std::max(1, qRound(pixelRatio));
    const auto lane = lanes->find(it.lane());
    const bool isSampled = lane != lanes->end() && lane->second && lane->second->samplePeriod > Duration(0);
    shape.look = looks->of(*timeline, it.lane(), it.sources.get(), isSampled);
    return shape;
}

TileShape GraphScene::laneShape(TrackRef track) const
{
    TileShape shape;
    shape.scale = TimeScale(scale.window(), double(device(scale.width())));
    shape.band = shape.baseline = device(LaneHeight);
    shape.pixelScale = std::max(1, qRound(pixelRatio));
    shape.look = looks->of(*timeline, track, nullptr);
    return shape;
}

namespace {

constexpr int SampleHeight = 3;
constexpr double LeastEvent = 0.4; ///< Height of a bar for a single event, as a fraction of the band's height.
constexpr double DensityOpacity = 0.7; ///< Opacity of the density of samples: paler than states, because it is an estimate.

/// Renders rows of bars into a rectangle of an image.
class BarsRenderer {
public:
    /// `part` is the rectangle of the image to render, inside the time area.
    BarsRenderer(const GraphScene& scene, QImage& image, const QRect& part)
        : m_scene(scene)
        , m_top(part.top())
        , m_left(part.left() - scene.device(scene.timeArea().left()))
        , m_raster{reinterpret_cast<QRgb*>(image.bits()) + std::ptrdiff_t(part.top()) * (image.bytesPerLine() / 4) + part.left(),
                   part.width(), part.height(), int(image.bytesPerLine() / 4), std::max(1, qRound(scene.pixelRatio))}
        , m_deviceScale(scene.scale.window(), scene.device(scene.scale.width()))
        , m_ground(groundOf("surface.timeline"))
    {
        m_samples[0] = scene.theme->color("cpu.user").rgb();
        m_samples[1] = scene.theme->color("cpu.syscall").rgb();
        m_samples[2] = m_samples[3] = scene.theme->color("cpu.unknown").rgb();
        m_event = scene.theme->color("mark.bookmark").rgb();
        const QRgb ground = scene.theme->color("surface.timeline").rgb();
        std::ranges::transform(m_samples, m_densities.begin(),
                               [ground](QRgb color) { return mixed(QColor(ground), QColor(color), DensityOpacity).rgb(); });
    }

    void render()
    {
        const auto [first, last] = m_scene.paintedRows();
        int bottom = 0;
        for (int row = first; row < last; ++row) {
            const int top = std::clamp(device(m_scene.rowTop(row)), 0, m_raster.height);
            bottom = std::clamp(device(m_scene.rowTop(row) + m_scene.rows->metrics(row).height), top, m_raster.height);
            if (m_scene.isSelected(row) || row == m_scene.hoveredRow || row == m_scene.relatedRow)
                bars(row, top, bottom, groundOf(m_scene.isSelected(row) ? "surface.selected" : "surface.hover"));
            else if ((*m_scene.rows)[row].isHeading)
                bars(row, top, bottom, groundOf("surface.group"));
            else
                bars(row, top, bottom, m_ground);
        }
        fill(m_ground, bottom, m_raster.height);
    }

private:
    using Ground = std::vector<QRgb>; ///< One line of background pixels.

    int device(double y) const { return m_scene.device(y) - m_top; }

    /// Returns one pixel row of the background, which includes the vertical grid lines.
    Ground groundOf(const char* role) const
    {
        Ground ground(std::size_t(m_raster.width), m_scene.theme->color(role).rgb());
        if (!m_scene.ticks)
            return ground;
        const Raster line{ground.data(), m_raster.width, 1, m_raster.width};
        const QRgb color = m_scene.theme->color("line.grid").rgb();
        for (const Tick& tick : m_scene.ticks->ticks) {
            const double x = m_deviceScale.xAt(tick.at);
            if (tick.isMajor && x >= 0)
                line.fill(int(x) - m_left, 0, m_raster.scale, 1, color);
        }
        return ground;
    }

    void fill(const Ground& ground, int top, int bottom)
    {
        for (int y = top; y < bottom; ++y)
            std::memcpy(m_raster.line(y), ground.data(), ground.size() * sizeof(QRgb));
    }

    /// Renders the bars of a row between two y positions.
    void bars(int row, int rowTop, int rowBottom, const Ground& ground)
    {
        const GraphRow& it = (*m_scene.rows)[row];
        if (!it.lanes.empty()) {
            fill(ground, rowTop, rowBottom);
            lanes(it.laneGrounds, m_scene.rowTop(row) + LaneMargin);
            return lanes(it.lanes, m_scene.rowTop(row) + LaneMargin);
        }
        const auto lane = m_scene.lanes->find(it.lane());
        if (!it.lane().isValid() || lane == m_scene.lanes->end() || !lane->second)
            return fill(ground, rowTop, rowBottom);
        const RowMetrics metrics = m_scene.rows->metrics(row);
        const int top = m_scene.rowTop(row);
        const int baseline = device(top + metrics.baseline());
        const TileShape shape = m_scene.tileShape(row);
        if (lane->second->tile.shape().looksLike(shape)) {
            const int tileTop = baseline - shape.baseline;
            fill(ground, rowTop, std::min(tileTop, rowBottom));
            fill(ground, std::max(baseline, rowTop), rowBottom);
            const Raster own{m_raster.line(rowTop), m_raster.width, rowBottom - rowTop, m_raster.stride};
            lane->second->tile.paint(own, m_deviceScale, -m_left, tileTop - rowTop, ground.data());
        } else {
            fill(ground, rowTop, rowBottom);
            layOutLane(lane->second->spans, shape.look->stacked(),
                       {m_deviceScale, m_left, m_raster.width, std::max(lane->second->window.begin, m_deviceScale.timeAt(m_left))},
                       shape.band, m_layout);
            paintLane(m_raster, m_layout, shape.look->palette, {baseline, device(top + metrics.tickTop), 0});
        }
        if (lane->second->isOfEvents)
            events(*lane->second, baseline, shape.band);
        else if (!lane->second->samples.empty())
            samples(*lane->second, device(top + metrics.tickTop), device(top + metrics.baseline()), shape.band);
        if (metrics.lineTop > 0 && it.line.track.isValid())
            line(it.line, device(top + metrics.lineTop));
    }

    /// Renders lanes from top to bottom, the first one at y = `top`.
    void lanes(const std::vector<TrackRef>& tracks, int top)
    {
        for (const TrackRef track : tracks) {
            const int baseline = device(top + LaneHeight);
            top += LanePitch;
            const auto lane = m_scene.lanes->find(track);
            if (lane == m_scene.lanes->end() || !lane->second)
                continue;
            const TileShape shape = m_scene.laneShape(track);
            layOutLane(lane->second->spans, shape.look->stacked(),
                       {m_deviceScale, m_left, m_raster.width, std::max(lane->second->window.begin, m_deviceScale.timeAt(m_left))},
                       shape.band, m_layout);
            paintLane(m_raster, m_layout, shape.look->palette, {baseline, baseline - shape.band, 0});
        }
    }

    /// Renders the density of samples, and a tick per sample unless the samples are too dense.
    void samples(const Lane& lane, int top, int baseline, int band)
    {
        m_density.layOut(lane, m_deviceScale, m_left, m_raster.width);
        m_density.paint(m_raster, baseline, band, m_densities);
        if (!m_density.isCrowded())
            sampleTicks(lane, top);
    }

    void countSamples(const Lane& lane)
    {
        m_sampleCounts.assign(std::size_t(m_raster.width), {});
        for (const SampleTicks& it : lane.samples) {
            const double x = m_deviceScale.xAt(it.at) - m_left;
            if (x >= 0 && x < m_raster.width)
                m_sampleCounts[std::size_t(x)][std::size_t(it.mode)] += it.count;
        }
    }

    /// Renders a bar in each column with events. Its height grows with the logarithm of their number, so that a single event is visible and
    /// large numbers can be distinguished.
    void events(const Lane& lane, int baseline, int band)
    {
        countSamples(lane);
        std::uint32_t most = 2;
        for (const SampleTicks& it : lane.samples)
            most = std::max(most, it.count);
        for (int x = 0; x < m_raster.width; ++x) {
            const std::uint32_t count = m_sampleCounts[std::size_t(x)][std::size_t(SampleMode::Event)];
            if (count == 0)
                continue;
            const double share = LeastEvent + (1 - LeastEvent) * std::min(1.0, std::log2(double(count)) / std::log2(double(most)));
            const int height = int(std::lround(share * band));
            m_raster.fill(x, baseline - height, m_raster.scale, height, m_event);
        }
    }

    /// Renders a tick in each column with samples, in the colour of the mode with the most samples.
    void sampleTicks(const Lane& lane, int top)
    {
        countSamples(lane);
        for (int x = 0; x < m_raster.width; ++x) {
            const auto& counts = m_sampleCounts[std::size_t(x)];
            const auto most = std::max_element(counts.begin(), counts.end());
            if (*most > 0)
                m_raster.fill(x, top, m_raster.scale, SampleHeight * m_raster.scale, m_samples[std::size_t(most - counts.begin())]);
        }
    }

    void line(const RowLine& line, int top)
    {
        const auto lane = m_scene.lanes->find(line.track);
        if (lane == m_scene.lanes->end() || !lane->second || !m_scene.lineScales)
            return;
        const auto ramp = m_scene.theme->rampOf(stateKind(*m_scene.timeline, line.track, State{}));
        const int height = m_scene.device(LineHeight);
        for (const Span& span : lane->second->spans.spans) {
            const int step = m_scene.lineScales->stepOf(line.kind, span);
            if (step < 0)
                return;
            const int x = int(std::lround(std::max(0.0, m_deviceScale.xAt(span.range.begin))));
            const int right = int(std::lround(std::min(m_deviceScale.width(), m_deviceScale.xAt(span.range.end))));
            m_raster.fill(x - m_left, top, std::max(1, right - x), height, ramp[std::size_t(step)].rgb());
        }
    }

    const GraphScene& m_scene;
    int m_top; ///< Top of the rectangle to render, in device pixels.
    int m_left; ///< Left edge of the rectangle to render, in device pixels from the left of the time area.
    Raster m_raster;
    TimeScale m_deviceScale;
    Ground m_ground;
    LaneLayout m_layout;
    QRgb m_event = 0;
    std::array<QRgb, SampleModes> m_samples{};
    std::array<QRgb, SampleModes> m_densities{};
    SampleDensity m_density;
    /// Number of samples by column and mode. A member only to reuse its memory.
    std::vector<std::array<std::uint32_t, SampleModes>> m_sampleCounts;
};

} // namespace

void renderBars(const GraphScene& scene, QImage& image)
{
    const PaintStopwatch watch(PaintCost::instance().bars);
    const QRect part = scene.painted() & scene.timeArea();
    const QRect pixels = QRect(QPoint(scene.device(part.left()), scene.device(part.top())),
                               QPoint(scene.device(part.right() + 1) - 1, scene.device(part.bottom() + 1) - 1))
        & QRect(QPoint(), image.size());
    if (part.isEmpty() || pixels.isEmpty())
        return;
    if (scene.scale.isValid() && scene.rows && scene.timeline)
        return BarsRenderer(scene, image, pixels).render();
    const Raster raster{reinterpret_cast<QRgb*>(image.bits()), image.width(), image.height(), int(image.bytesPerLine() / 4)};
    raster.fill(pixels.left(), pixels.top(), pixels.width(), pixels.height(), scene.theme->color("surface.timeline").rgb());
}

bool GraphScene::isOfFinding(int row) const
{
    if (!finding)
        return false;
    const GraphRow& it = (*rows)[row];
    const auto has = [this](TrackRef track) { return finding->rows.contains(track); };
    return has(it.ref) || std::ranges::any_of(it.lanes, has) || (it.sources && std::ranges::any_of(*it.sources, has, &LaneSource::track));
}

} // namespace helio
