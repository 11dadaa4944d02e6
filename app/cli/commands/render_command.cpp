#include "app/cli/command.h"
#include "app/cli/commands/render_options.h"
#include "app/cli/commands/sample_difference.h"
#include "app/cli/output/command_capture.h"
#include "app/cli/output/output.h"
#include "app/cli/output/picture.h"
#include "app/cli/selection/open_experiment.h"
#include "app/cli/selection/requested_analyses.h"
#include "app/cli/selection/row_selection.h"
#include "app/cli/selection/sample_selection.h"
#include "core/compare/tree_difference_svg.h"
#include "core/profiling/export/call_tree_text.h"
#include "core/profiling/samples/amount_text.h"
#include "core/query/related/related.h"
#include "core/query/rows/facts.h"
#include "widgets/compare/difference/difference_style.h"
#include "widgets/compare/flame/difference_picture.h"
#include "widgets/flame/view/flame_part.h"
#include "widgets/flame/view/flame_svg.h"
#include "widgets/theme/themes.h"
#include "widgets/timeline/panels/render.h"

#include <QBuffer>
#include <QPainter>

#include <algorithm>
#include <fmt/format.h>

namespace helio {

namespace {

constexpr int Margin = PictureHead::Margin;
constexpr int HeadHeight = PictureHead::Height;
constexpr double NarrowestPartFrame = 0.4; ///< Minimum width in pixels of the frames of a flame graph inside a document.
constexpr int PartLabelWidth = 260; ///< Width of the label column of a picture inside a document, in points.
constexpr double PartScale = 2; ///< Pixels per point of a picture inside a document, which readers may enlarge.

/// Returns the flame graph as PNG, with the requested width and the height of the deepest stack.
QByteArray png(FlamePart part, WeightBy by, const PictureHead& head, const RenderOptions& options)
{
    part.layout = layOutFlame(*part.tree, by, 0, options.width - 2 * Margin);
    part.resolve(theme());
    const int most = int(TallestPicture / options.scale);
    const QSize size(options.width, std::clamp(HeadHeight + part.height() + Margin, HeadHeight + Margin, most));
    QImage image((QSizeF(size) * options.scale).toSize(), QImage::Format_RGB32);
    if (image.isNull())
        return {};
    image.setDevicePixelRatio(options.scale);
    image.fill(theme().color("surface.panel"));
    QPainter painter(&image);
    head.paint(painter, size.width());
    painter.translate(Margin, HeadHeight);
    paintFlame(painter, part, by, 0, size.height() - HeadHeight);
    painter.end();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes;
}

QByteArray textOf(const std::function<void(const TextSink&)>& write)
{
    QByteArray bytes;
    write([&](std::string_view chunk) {
        bytes.append(chunk.data(), qsizetype(chunk.size()));
        return true;
    });
    return bytes;
}

int save(const RenderOptions& options, const QByteArray& bytes, bool hasProblems)
{
    if (const auto done = savePicture(options.output, bytes); !done)
        return failWith(done.error());
    return hasProblems ? ExitInput : ExitDone;
}

/// Runs `render --view flame`: draws the flame graph of the selected samples as PNG, or as SVG that can be zoomed in a browser. Returns the
/// exit status.
int renderFlame(const RenderOptions& options)
{
    const auto samples = selectSamples(options.traces, options.reading, options.selection, options.samples, options.tree.tree);
    if (!samples)
        return failWith(samples.error());
    const auto& [opened, profile, names, kinds] = *samples;
    const WeightBy by = options.samples.weightOf(profile.kind);
    const auto tree = std::make_shared<const CallTree>(buildCallTree(profile, names, options.tree.by(by)));
    const std::string title = options.traces.front().filename().string() + ": " + profile.kind.name;
    const std::string remark = headingWords(sumOf(profile), by, profile.kind);
    if (options.isSvg()) {
        SvgOptions svg;
        svg.title = title;
        svg.subtitle = remark;
        svg.width = static_cast<std::uint32_t>(options.width);
        if (const CommandCapture* const capture = CommandCapture::current()) {
            svg.width = static_cast<std::uint32_t>(capture->limits().pictureWidth);
            svg.narrowest = NarrowestPartFrame;
            svg.isPart = true;
        }
        svg.isIcicle = options.tree.isIcicle || options.tree.isInverted();
        return save(options, textOf([&](const TextSink& write) {
                        writeFlameSvg(*tree, by, svg, FlameColoring::Module, nullptr, Theme::make(options.theme), write);
                    }),
                    opened.hasProblems);
    }
    const OffscreenApplication app;
    Themes::instance().setTheme(options.theme);
    FlamePart part;
    part.tree = tree;
    part.colors = FlameColors(*tree, by, FlameColoring::Module);
    return save(options, png(std::move(part), by, {QString::fromStdString(title), QString::fromStdString(remark), nullptr, {}}, options),
                opened.hasProblems);
}

/// Runs `render --view difference`: draws the differential flame graph of --a and --b. Returns the exit status.
int renderDifference(const RenderOptions& options)
{
    const auto sides = openSides(options.sides, options.reading, options.selection, options.difference.isOfAll);
    if (!sides)
        return failWith(sides.error());
    const auto difference = sampleDifference(
        {options.selection, options.samples, options.difference, options.tree.by(options.samples.by.value_or(WeightBy::Samples))}, *sides);
    if (!difference)
        return failWith(difference.error());
    const DifferencePicture picture{options.difference, static_cast<std::uint32_t>(options.width), options.tree.isIcicle,
                                    options.tree.isInverted()};
    if (options.isSvg())
        return save(options, textOf([&](const TextSink& write) { writeDifference(picture, *difference, write); }), sides->hasProblems);
    const OffscreenApplication app;
    Themes::instance().setTheme(options.theme);
    DifferenceResult shown;
    shown.graph = std::make_shared<const DifferenceTree>(difference->tree);
    shown.choices.basis = difference->basis;
    shown.choices.isOfAll = options.difference.isOfAll;
    shown.choices.isInverted = options.tree.isInverted();
    shown.unit = difference->basis.unit(difference->kind);
    for (ComparedSide& side : shown.sides) {
        side.kind = difference->kind;
        side.name = QString::fromStdString(sides->a.program);
    }
    const DifferenceGraphOptions look{options.difference.widths, options.difference.ofTotals, options.difference.byRatio, false};
    const auto style = std::make_shared<const DifferenceStyle>(shown, look);
    FlamePart part;
    part.tree = std::make_shared<const CallTree>(widthTree(difference->tree, look.widths));
    part.style = style;
    const PictureHead head{QString::fromStdString(rootName(*difference)), QString::fromStdString(difference->subtitle), &style->steps(),
                           shown.unit};
    return save(options, png(std::move(part), WeightBy::Weight, head, options), sides->hasProblems);
}

bool isRowChoice(const SelectionOptions& options)
{
    return !options.row.empty() || !options.process.empty() || !options.host.empty() || options.thread || options.cpu || options.filter;
}

/// Prints how the picture differs from the request, e.g. rows that do not fit.
void reportFit(const PictureFit& fit, double wanted)
{
    if (fit.isCut())
        warn(fmt::format("the picture shows the first {} of {} rows, as many as fit; select rows with --row, --filter or "
                         "--process",
                         fit.shownRows, fit.allRows));
    else if (fit.scale < wanted)
        warn(fmt::format("--scale: reduced to {:.2f}, the largest at which all {} rows fit", fit.scale, fit.allRows));
}

/// Says which rows a picture inside a document leaves out.
void reportPart(const PictureFit& fit, bool areBusiest)
{
    if (fit.isCut())
        warn(fmt::format("The picture shows {} {} of {} rows.", areBusiest ? "the busiest" : "the first", fit.shownRows, fit.allRows));
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
    // Add correlators' rows, which are drawn over the view's rows: steal time of guests, and vCPUs on CPUs.
    if (const auto done = addCorrelatedRows(*opened); !done)
        return failWith(done.error());
    if (opened->timeline->range.isEmpty())
        return failWith({Error::Kind::Unsupported, options.traces.front().string() + ": contains no events"});
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
    if (const CommandCapture* const capture = CommandCapture::current()) {
        request.size.setWidth(capture->limits().pictureWidth);
        request.labelWidth = PartLabelWidth;
        const PictureFit fit = fitBusiestRows(request, capture->limits().tallestPicture);
        request.size.setHeight(fit.height);
        reportPart(fit, bool(request.accepts));
        scale = PartScale;
    } else if (!options.isSizeChosen) {
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
