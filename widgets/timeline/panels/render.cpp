#include "widgets/timeline/panels/render.h"

#include "core/query/rows/arrows.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/frame_text.h"
#include "core/query/rows/statistics.h"
#include "core/query/rows/views.h"
#include "widgets/timeline/curves/curve_scene.h"
#include "widgets/timeline/curves/series_source.h"
#include "widgets/timeline/graph/arrows/arrow_painter.h"
#include "widgets/timeline/graph/axis/ruler_scene.h"
#include "widgets/timeline/graph/graph_scene.h"
#include "widgets/timeline/panels/graph_row_source.h"
#include "widgets/timeline/panels/result_bars_scene.h"
#include "widgets/timeline/panels/result_curves.h"
#include "widgets/timeline/panels/rows_panel.h"

#include <QBuffer>
#include <QGuiApplication>
#include <QPaintEngine>
#include <QPainter>
#include <QScreen>
#include <QSvgGenerator>

#include <cmath>
#include <memory>
#include <new>
#include <set>

namespace helio {

namespace {

/// Returns an image that is not empty. Errors: throws bad_alloc if there was no memory for it; the picture would be wrong without the
/// image.
QImage allocated(QImage image)
{
    if (image.isNull())
        throw std::bad_alloc();
    return image;
}

constexpr int LeastHeight = 240;

std::vector<NamedSeries> seriesFor(const RenderRequest& request, const Theme& theme)
{
    std::vector<NamedSeries> all = namedSeries(*request.timeline, request.view, theme);
    const QString filter = QString::fromStdString(request.filter);
    std::erase_if(all, [&](const NamedSeries& it) {
        return !it.name.contains(filter, Qt::CaseInsensitive) || (request.acceptsSeries && !request.acceptsSeries(it.series, it.place));
    });
    return all;
}

int curvesHeight(int count) { return RulerHeight + std::max(LeastHeight, CurveScene::heightOf(count)); }

/// Sets the members that scenes of bars and curves have in common: size, scale and colours of the area below the ruler.
template <class Scene> void setArea(Scene& scene, const RenderRequest& request, const Theme& theme, const Fonts& fonts)
{
    scene.theme = &theme;
    scene.fonts = &fonts;
    scene.size = QSize(request.size.width(), std::max(0, request.size.height() - RulerHeight));
    scene.labelWidth = std::clamp(request.labelWidth, 0, request.size.width() / 2);
    scene.scale = TimeScale(request.window, std::max(1, request.size.width() - scene.labelWidth));
    scene.selection = request.selection;
}

/// Paints the result of a query below the ruler, at 0, 0.
void paintResult(QPainter& painter, const RenderRequest& request, const Theme& theme, qreal pixelRatio)
{
    const Fonts fonts;
    const ResultPanel& panel = *request.result;
    if (!panel.isChart) {
        const ResultBarsLayout layout(panel.data);
        ResultBarsScene scene;
        setArea(scene, request, theme, fonts);
        const Ticks ticks = ticksFor(scene.scale, request.format);
        scene.ticks = &ticks;
        scene.layout = &layout;
        return paintResultBars(painter, scene);
    }
    CurveScene scene;
    setArea(scene, request, theme, fonts);
    scene.pixelRatio = pixelRatio;
    const Ticks ticks = ticksFor(scene.scale, request.format);
    scene.ticks = &ticks;
    const TimeScale device = scene.deviceScale();
    const auto lines = makeResultCurves(*panel.data, theme, device, rangeOf(*request.timeline).end);
    ValueRange values;
    for (const CurveLine& line : lines)
        values.add(valueRangeIn(line.curve, device.width()));
    scene.lines = &lines;
    scene.values = scaleFor(values, CurveScene::stepsFor(scene.size.height()));
    scene.unit = panel.data->unit;
    paintCurves(painter, scene);
    paintCurveLabels(painter, scene);
}

/// Paints curves below the ruler, at 0, 0. Queries all data first, which is slow.
void paintCurvesView(QPainter& painter, const RenderRequest& request, const Theme& theme, qreal pixelRatio, std::stop_token stop)
{
    const Fonts fonts;
    CurveScene scene;
    setArea(scene, request, theme, fonts);
    scene.pixelRatio = pixelRatio;
    const Ticks ticks = ticksFor(scene.scale, request.format);
    scene.ticks = &ticks;
    const TimeScale device = scene.deviceScale();
    const std::vector<NamedSeries> series = seriesFor(request, theme);
    std::vector<CurveLine> lines;
    std::vector<const ViewSeries*> shown;
    std::vector<ValueRange> ranges;
    ValueRange values;
    for (const NamedSeries& it : series) {
        if (stop.stop_requested())
            return;
        const CurveData known = fetchSeries(*request.timeline, it.series, request.window, device.resolution(), stop);
        lines.push_back({it.name, {}, it.color, layOutCurve(known, device), it.host, false});
        lines.back().title = QString::fromStdString(it.series.title);
        values.add(ranges.emplace_back(valueRangeIn(lines.back().curve, device.width())));
        shown.push_back(&it.series);
    }
    scene.lines = &lines;
    const int steps = CurveScene::stepsFor(scene.size.height());
    scene.values = scaleFor(values, steps);
    if (viewDescription(*request.timeline, request.view).hasOwnScales && OwnScales().apply(lines, ranges, true, steps)) {
        scene.values = {0, 1};
        for (std::size_t i = 0; i < lines.size(); ++i)
            lines[i].value = beside({}, lines[i].scale, series[i].series);
    }
    scene.unit = commonUnit(shown);
    paintCurves(painter, scene);
    paintCurveLabels(painter, scene);
}

/// Returns the predicate for the rows to show: the requested one, otherwise one that rejects rows without activity in the window. If no row
/// is active, all rows are accepted.
std::function<bool(const Row&)> acceptedIn(const RenderRequest& request, const RowTree& tree)
{
    if (request.accepts || !request.hidesResting || !viewDescription(*request.timeline, request.view).canHideIdleRows)
        return request.accepts;
    std::vector<TrackRef> tracks;
    for (const Row& row : tree.rows())
        if (row.ref.isValid())
            tracks.push_back(row.ref);
    std::set<TrackRef> busy;
    for (const RowUtilization& use : rowUtilizations(*request.timeline, tracks, request.window))
        if (!use.isInactive)
            busy.insert(use.row);
    if (busy.empty())
        return {};
    return [busy = std::move(busy)](const Row& row) { return busy.contains(row.ref); };
}

GraphRows rowsFor(const RenderRequest& request)
{
    if (request.rows)
        return *request.rows;
    ViewRows found = makeViewRows(*request.timeline, request.view);
    RowTree tree;
    tree.setRows(std::move(found.rows));
    if (request.accepts) // Opens all rows, because a row that request.accepts wants may be at any depth.
        tree.setAllOpen(true);
    tree.setAccepts(acceptedIn(request, tree));
    tree.setFilter(QString::fromStdString(request.filter));
    if (hasSampledStacks(*request.timeline, tree.rows()))
        tree.setOccupiedDepths(
            std::make_shared<const OccupiedDepths>(countOccupiedDepths(*request.timeline, *tree.rowSet(), request.window)));
    return {makeGraphRows(tree, found.beside), Density::Normal};
}

/// Scene of a picture. All of its data is fetched before the picture is painted.
class Picture {
public:
    Picture(const RenderRequest& request, const Theme& theme, qreal pixelRatio)
        : m_request(request)
        , m_theme(theme)
        , m_looks(theme)
        , m_rows(rowsFor(request))
        , m_hosts(hostHeadings(*request.timeline))
    {
        m_scene.theme = &theme;
        m_scene.fonts = &m_fonts;
        m_scene.looks = &m_looks;
        m_scene.timeline = request.timeline.get();
        m_scene.rows = &m_rows;
        m_scene.hosts = &m_hosts;
        m_scene.lanes = &m_lanes;
        m_scene.shares = &m_shares;
        m_scene.lineScales = &m_lineScales;
        m_scene.size = QSize(request.size.width(), std::max(0, request.size.height() - RulerHeight));
        m_scene.labelWidth = std::clamp(request.labelWidth, 0, request.size.width() / 2);
        m_scene.pixelRatio = pixelRatio;
        m_scene.scale = TimeScale(request.window, std::max(1, request.size.width() - m_scene.labelWidth));
        m_scene.selection = request.selection;
        m_scene.isPercentBare = isBare(viewDescription(*request.timeline, request.view));
        m_ticks = ticksFor(m_scene.scale, request.format);
        m_scene.ticks = &m_ticks;
    }

    void fetch(std::stop_token stop)
    {
        readFrameNames(*m_request.timeline, m_request.view, stop);
        const TimeScale device(m_request.window, std::round(m_scene.scale.width() * m_scene.pixelRatio));
        const auto lane = [&](TrackRef ref, bool withTexts, const std::shared_ptr<const LaneSources>& sources) {
            if (ref.isValid())
                m_lanes[ref] =
                    fetchLane(*m_request.timeline,
                              {ref, m_request.window, device.resolution(), m_scene.pixelRatio, 1, withTexts, {}, {}, sources}, stop);
        };
        std::vector<TrackRef> meters;
        std::vector<std::pair<TrackRef, UtilizationSeries>> utilized;
        const auto [first, last] = m_scene.visibleRows();
        for (int i = first; i < last && !stop.stop_requested(); ++i) {
            lane(m_rows[i].lane(), true, m_rows[i].sources);
            for (const TrackRef track : m_rows[i].lanes)
                lane(track, false, {});
            for (const TrackRef track : m_rows[i].laneGrounds)
                lane(track, false, {});
            lane(m_rows[i].line.track, false, {});
            lane(m_rows[i].overlay, false, {});
            lane(m_rows[i].cover, false, {});
            if (m_rows[i].utilization)
                utilized.emplace_back(m_rows[i].ref, *m_rows[i].utilization);
            else if (m_rows[i].ref.isValid() && m_rows[i].hasShare)
                meters.push_back(m_rows[i].meter());
            if (const auto it = m_lanes.find(m_rows[i].line.track); it != m_lanes.end())
                m_lineScales.add(m_rows[i].line.kind, *it->second);
        }
        const auto shares = busyShares(*m_request.timeline, meters, m_request.window, stop);
        m_shares.insert(shares.begin(), shares.end());
        addUtilization(*m_request.timeline, utilized, m_request.window, m_shares);
        m_losses = losses(*m_request.timeline, m_request.window);
        m_scene.losses = m_losses;
    }

    void paint(QPainter& painter, std::stop_token stop)
    {
        paintBars(painter);
        paintTimeArea(painter, m_scene);
        paintLabelColumn(painter, m_scene);
        if (m_request.withArrows)
            paintLinks(painter, stop);
    }

private:
    void paintBars(QPainter& painter)
    {
        const qreal ratio = m_scene.pixelRatio;
        const QSize pixels = (QSizeF(m_scene.size) * ratio).toSize();
        const QRect area = m_scene.timeArea();
        const QRectF part(area.left() * ratio, 0, area.width() * ratio, area.height() * ratio);
        if (pixels.isEmpty() || part.toRect().isEmpty())
            return;
        QImage image = allocated(QImage(pixels, QImage::Format_RGB32));
        renderBars(m_scene, image);
        if (painter.paintEngine()->type() == QPaintEngine::SVG) // The SVG engine always draws a whole image, so the part is copied first.
            painter.drawImage(QRectF(area), allocated(image.copy(part.toRect())));
        else
            painter.drawImage(QRectF(area), image, part);
    }

    void paintLinks(QPainter& painter, std::stop_token stop)
    {
        std::uint64_t total = 0;
        const auto found = arrows(*m_request.timeline,
                                  linkKindsInView(*m_request.timeline, findLinkView(*m_request.timeline, m_request.view, m_rows), false),
                                  m_request.window, 4000, &total, stop);
        ArrowLayoutContext place;
        place.scale = m_scene.scale;
        place.height = m_scene.size.height();
        place.areAll = found.size() >= total;
        place.total = total;
        place.timeline = m_request.timeline.get();
        paintArrows(painter, layOutArrows(found, m_rows, place), m_scene.timeArea(), m_theme, m_request.timeline.get());
    }

    const RenderRequest& m_request;
    const Theme& m_theme;
    Fonts m_fonts;
    LaneStyles m_looks;
    GraphRows m_rows;
    std::vector<HostHeading> m_hosts;
    Lanes m_lanes;
    Shares m_shares;
    LineScales m_lineScales;
    std::vector<LossRange> m_losses;
    Ticks m_ticks;
    GraphScene m_scene;
};

bool isOfCurves(const RenderRequest& request) { return viewDescription(*request.timeline, request.view).shape == TrackView::Shape::Curves; }

/// Number of rows or curves of a picture, and the height of the first ones.
struct PictureRows {
    int count = 0;
    std::function<int(int)> heightOf; ///< Returns the height of the first rows in device-independent pixels, ruler included.
};

PictureRows pictureRows(const RenderRequest& request)
{
    if (request.result && request.result->isChart)
        return {int(request.result->data->lanes.size()), curvesHeight};
    if (request.result)
        return {int(request.result->data->lanes.size()),
                [layout = ResultBarsLayout(request.result->data)](int rows) { return RulerHeight + layout.top(std::size_t(rows)); }};
    if (isOfCurves(request))
        return {int(seriesFor(request, Theme()).size()), curvesHeight};
    const GraphRows rows = rowsFor(request);
    return {rows.count(), [rows](int count) { return RulerHeight + rows.top(count); }};
}

void paintRulerOf(const RenderRequest& request, QPainter& painter, const Theme& theme)
{
    RulerScene ruler;
    ruler.size = QSize(request.size.width(), RulerHeight);
    ruler.labelWidth = std::clamp(request.labelWidth, 0, request.size.width() / 2);
    ruler.scale = TimeScale(request.window, std::max(1, request.size.width() - ruler.labelWidth));
    ruler.format = request.format;
    ruler.selection = request.selection;
    paintRuler(painter, ruler, theme, Fonts());
}

} // namespace

int naturalHeight(const RenderRequest& request)
{
    const PictureRows rows = pictureRows(request);
    return rows.heightOf(rows.count);
}

PictureFit fitPicture(const RenderRequest& request, qreal wanted, int tallest)
{
    const PictureRows rows = pictureRows(request);
    const int natural = rows.heightOf(rows.count);
    const auto scale = std::clamp(std::floor(100.0 * tallest / std::max(1, natural)) / 100, std::min(1.0, wanted), wanted);
    const int height = std::min(natural, int(tallest / scale));
    if (height == natural)
        return {height, scale, rows.count, rows.count};
    int shown = 0;
    while (shown < rows.count && rows.heightOf(shown + 1) <= height)
        ++shown;
    return {height, scale, shown, rows.count};
}

PictureFit fitBusiestRows(RenderRequest& request, int tallest)
{
    const PictureFit all = fitPicture(request, 1, tallest);
    if (!all.isCut() || request.result || isOfCurves(request) || request.rows
        || !viewDescription(*request.timeline, request.view).canHideIdleRows)
        return all;
    std::vector<TrackRef> tracks;
    for (const Row& row : makeViewRows(*request.timeline, request.view).rows)
        if (row.ref.isValid() && (!request.accepts || request.accepts(row)))
            tracks.push_back(row.ref);
    std::vector<RowUtilization> busiest = rowUtilizations(*request.timeline, tracks, request.window);
    std::erase_if(busiest, &RowUtilization::isInactive);
    std::ranges::stable_sort(busiest, std::ranges::greater(), &RowUtilization::busy);
    RenderRequest fewer = request;
    for (auto count = std::min(busiest.size(), std::size_t(all.shownRows)); count > 0; count -= std::max<std::size_t>(1, count / 16)) {
        std::set<TrackRef> shown;
        for (std::size_t i = 0; i < count; ++i)
            shown.insert(busiest[i].row);
        fewer.accepts = [shown = std::move(shown)](const Row& row) { return shown.contains(row.ref); };
        const PictureFit fit = fitPicture(fewer, 1, tallest);
        if (fit.isCut())
            continue;
        request.accepts = fewer.accepts;
        return {fit.height, 1, fit.allRows, all.allRows};
    }
    return all;
}

void renderView(QPainter& painter, const RenderRequest& request, const Theme& theme, qreal pixelRatio, std::stop_token stop)
{
    painter.fillRect(QRect(QPoint(), request.size), theme.color("surface.panel"));
    if (!request.timeline || request.window.isEmpty() || request.size.isEmpty())
        return;
    paintRulerOf(request, painter, theme);
    painter.save();
    painter.translate(0, RulerHeight);
    if (request.result) {
        paintResult(painter, request, theme, pixelRatio);
    } else if (isOfCurves(request)) {
        paintCurvesView(painter, request, theme, pixelRatio, stop);
    } else {
        Picture picture(request, theme, pixelRatio);
        picture.fetch(stop);
        picture.paint(painter, stop);
    }
    painter.restore();
}

QImage renderView(const RenderRequest& request, const Theme& theme, qreal pixelRatio, std::stop_token stop)
{
    QImage image((QSizeF(request.size) * pixelRatio).toSize(), QImage::Format_RGB32);
    if (image.isNull())
        return image;
    image.setDevicePixelRatio(pixelRatio);
    QPainter painter(&image);
    renderView(painter, request, theme, pixelRatio, stop);
    return image;
}

QByteArray renderedPicture(const RenderRequest& request, const Theme& theme, qreal pixelRatio, PictureFormat format)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (format == PictureFormat::Png) {
        const QImage image = renderView(request, theme, pixelRatio);
        if (!image.isNull() && !image.save(&buffer, "PNG"))
            throw std::bad_alloc(); // A buffer in memory fails for no other reason.
        return bytes;
    }
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    // Fonts have sizes in points; at this resolution, the generator writes them in the pixels for which the texts were placed.
    const QScreen* screen = QGuiApplication::primaryScreen();
    generator.setResolution(qRound(screen ? screen->logicalDotsPerInchY() : 96));
    generator.setSize(request.size);
    generator.setViewBox(QRect(QPoint(), request.size));
    generator.setTitle(QString::fromStdString(request.view));
    auto painter = std::make_unique<QPainter>(&generator);
    try {
        renderView(*painter, request, theme, pixelRatio);
        painter->end();
    } catch (const std::bad_alloc&) {
        (void)painter.release(); // The destructor would end the picture, which takes memory, and a destructor may not throw.
        throw;
    }
    return bytes;
}

} // namespace helio
