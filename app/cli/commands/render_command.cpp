#include "app/cli/command.h"
#include "app/cli/commands/picture.h"
#include "app/cli/commands/render_flame.h"
#include "app/cli/output/output.h"
#include "app/cli/selection/open_experiment.h"
#include "app/cli/selection/requested_analyses.h"
#include "app/cli/selection/row_selection.h"
#include "core/query/related/related.h"
#include "core/query/rows/facts.h"
#include "widgets/timeline/panels/render.h"

#include <fmt/format.h>

namespace helio {
namespace {

bool isRowChoice(const SelectionOptions& options)
{
    return !options.row.empty() || !options.process.empty() || !options.host.empty() || options.thread || options.cpu || options.filter;
}

/// Reports where the picture differs from the request.
void reportFit(const PictureFit& fit, double wanted)
{
    if (fit.isCut())
        warn(fmt::format("the picture shows the first {} of {} rows, as many as fit; --row, --filter and --process choose rows",
                         fit.shownRows, fit.allRows));
    else if (fit.scale < wanted)
        warn(fmt::format("--scale: drawn at {:.2f}, the largest at which all {} rows fit", fit.scale, fit.allRows));
}

int run(const RenderOptions& options)
{
    if (!options.isSvg() && !options.isPng())
        return failWith({Error::Kind::Usage, "-o: \"" + options.output.string() + "\" ends in neither .png nor .svg"});
    if (options.isFlameGraph())
        return renderFlame(options);
    if (options.isDifferenceGraph())
        return renderDifference(options);
    if (const auto done = checkRowFilter(options.selection); !done)
        return failWith(done.error());
    OpeningOptions opening;
    opening.wanted = {options.view};
    auto opened = openExperiment(options.traces, options.reading, options.selection, opening);
    if (!opened)
        return failWith(opened.error());
    const auto others = [&] { return findRequestableAnalyses(options.traces, options.reading, *opened->timeline, options.view).views; };
    if (const auto views = findRequestedViews(options.view, *opened->timeline, {}, others); !views)
        return failWith(views.error());
    const auto shown = withShownRows(*opened->timeline, {}, options.view);
    if (!shown)
        return failWith(shown.error());
    if (*shown)
        opened->timeline = *shown;
    // Adds rows whose data is drawn over the view's rows: steal time of guests, and the vCPUs that CPUs ran.
    if (const auto done = addCorrelatedRows(*opened); !done)
        return failWith(done.error());
    if (opened->timeline->range.isEmpty())
        return failWith({Error::Kind::Unsupported, options.traces.front().string() + ": it holds no events"});
    const OffscreenApplication app;
    const RowSelection selection(options.selection, *opened->timeline);
    RenderRequest request;
    request.timeline = opened->timeline;
    request.view = options.view;
    request.window = opened->timeline->range.clippedTo(opened->window);
    request.size = QSize(options.width, options.height);
    request.format.hasEpoch = hasEpoch(*opened->timeline);
    request.format.origin = opened->timeline->range.begin;
    if (!request.format.hasEpoch)
        request.format.mode = TimeFormat::Mode::Relative;
    request.hidesResting = true;
    if (isRowChoice(options.selection)) {
        request.accepts = [&](const Row& row) { return row.ref.isValid() && selection.selects(row); };
        request.acceptsSeries = [&](const ViewSeries& series, const SeriesOwner& place) { return selection.selects(series, place); };
    }
    if (request.window.isEmpty())
        return failWith({Error::Kind::Usage, "--begin, --end: nothing was recorded in this range"});
    double scale = options.scale;
    if (!options.isSizeChosen) {
        const PictureFit fit = fitPicture(request, scale, TallestPicture);
        request.size.setHeight(fit.height);
        scale = fit.scale;
        if (!options.reading.isQuiet)
            reportFit(fit, options.scale);
    }
    const Theme theme = Theme::make(options.theme);
    const PictureFormat format = options.isSvg() ? PictureFormat::Svg : PictureFormat::Png;
    if (const auto done = savePicture(options.output, renderedPicture(request, theme, scale, format)); !done)
        return failWith(done.error());
    return opened->hasProblems ? ExitInput : ExitDone;
}

} // namespace

extern const Command renderCommand;
const Command renderCommand{110,
                            "render",
                            "Render a view to PNG or SVG (needs no display)",
                            callOf<RenderOptions, run>,
                            R"(heliograph render TRACE --view resources -o cpus.png
heliograph render perf.data --view flame --theme light -o flame.svg
heliograph render --view difference --a SOLO --b PARALLEL -o difference.png
)",
                            R"(Weights of --by: samples, period; for calls wall, self-wall, cpu, calls (heliograph help flame).
)"};

} // namespace helio
