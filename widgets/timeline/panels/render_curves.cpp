#include "widgets/timeline/panels/render_curves.h"

#include "core/query/rows/views.h"
#include "widgets/timeline/curves/own_scales.h"
#include "widgets/timeline/curves/series_source.h"
#include "widgets/timeline/graph/axis/ruler_scene.h"

#include <cmath>

namespace helio {

namespace {

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

} // namespace

int countCurves(const RenderRequest& request) { return int(seriesFor(request, Theme()).size()); }

int curvesHeight(int count) { return RulerHeight + std::max(LeastHeight, CurveScene::heightOf(count)); }

int naturalCurvesHeight(const RenderRequest& request) { return curvesHeight(countCurves(request)); }

void paintCurvesView(QPainter& painter, const RenderRequest& request, const Theme& theme, qreal pixelRatio, std::stop_token stop)
{
    const Fonts fonts;
    CurveScene scene;
    scene.theme = &theme;
    scene.fonts = &fonts;
    scene.size = QSize(request.size.width(), std::max(0, request.size.height() - RulerHeight));
    scene.labelWidth = std::clamp(request.labelWidth, 0, request.size.width() / 2);
    scene.pixelRatio = pixelRatio;
    scene.scale = TimeScale(request.window, std::max(1, request.size.width() - scene.labelWidth));
    scene.selection = request.selection;
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

} // namespace helio
