#include "app/cli/command.h"
#include "app/cli/commands/picture.h"
#include "app/cli/commands/render_flame.h"
#include "app/cli/selection/open_experiment.h"
#include "app/cli/selection/row_selection.h"
#include "core/query/rows/facts.h"
#include "widgets/tracks/render.h"

#include <QBuffer>
#include <QPainter>
#include <QSvgGenerator>

namespace helio {
namespace {

constexpr int Tallest = 16'000; ///< Pixels: what picture formats can do.

bool isRowChoice(const CommandOptions& options)
{
    return !options.row.empty() || !options.process.empty() || !options.host.empty() || options.thread || options.cpu || options.filter;
}

QByteArray png(const RenderRequest& request, const Theme& theme, const CommandOptions& options)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    renderView(request, theme, options.scale).save(&buffer, "PNG");
    return bytes;
}

QByteArray svg(const RenderRequest& request, const Theme& theme, const CommandOptions& options)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(request.size);
    generator.setViewBox(QRect(QPoint(), request.size));
    generator.setTitle(QString::fromStdString(request.view));
    QPainter painter(&generator);
    renderView(painter, request, theme, options.scale);
    painter.end();
    return bytes;
}

int run(const CommandOptions& options)
{
    const bool isSvg = options.output.extension() == ".svg";
    if (!isSvg && options.output.extension() != ".png")
        return failWith({Error::Kind::Usage, "-o: \"" + options.output.string() + "\" ends in neither .png nor .svg"});
    if (options.view == "flame")
        return renderFlame(options);
    if (options.view == "difference")
        return renderDifference(options);
    if (const auto done = checkRowFilter(options); !done)
        return failWith(done.error());
    const auto opened = openExperiment(options);
    if (!opened)
        return failWith(opened.error());
    if (const auto views = chosenViews(options, *opened->timeline); !views)
        return failWith(views.error());
    if (opened->timeline->range.isEmpty())
        return failWith({Error::Kind::Unsupported, options.traces.front().string() + ": it holds no events"});
    const OffscreenApplication app;
    const RowSelection selection(options, *opened->timeline);
    RenderRequest request;
    request.timeline = opened->timeline;
    request.view = options.view;
    request.window = opened->timeline->range.clippedTo(opened->window);
    request.size = QSize(options.width, options.height);
    request.format.hasEpoch = hasEpoch(*opened->timeline);
    request.format.origin = opened->timeline->range.begin;
    if (!request.format.hasEpoch)
        request.format.mode = TimeFormat::Mode::Relative;
    if (isRowChoice(options)) {
        request.accepts = [&](const Row& row) { return row.ref.isValid() && selection.selects(row); };
        request.acceptsSeries = [&](const ViewSeries& series) { return selection.selects(series); };
    }
    if (!options.isSizeChosen)
        request.size.setHeight(std::min(naturalHeight(request), int(Tallest / options.scale)));
    if (request.window.isEmpty())
        return failWith({Error::Kind::Usage, "--begin, --end: nothing was recorded in this range"});
    const Theme theme = Theme::make(options.theme == "light" ? Theme::Kind::Light : Theme::Kind::Dark);
    if (const auto done = savePicture(options.output, isSvg ? svg(request, theme, options) : png(request, theme, options)); !done)
        return failWith(done.error());
    return opened->hasProblems ? ExitInput : ExitDone;
}

std::string missing(const OptionTexts& texts)
{
    const bool isOfTwo = texts.view == "difference";
    if (isOfTwo && texts.tracesA.empty()) // Without B, A may hold both.
        return "--a TRACE... or --b TRACE... is missing";
    if (!isOfTwo && texts.traces.empty())
        return missingTrace(texts);
    if (texts.view.empty())
        return "--view is missing; heliograph views TRACE... lists those of rows and counters; there are flame and difference, too";
    return texts.output.empty() ? "-o FILE is missing" : "";
}

void addOptions(OptionList& options, OptionTexts& texts)
{
    addSides(options, texts);
    addTraces(options, texts);
    addReading(options, texts);
    addSelection(options, texts, RowFilterHelp);
    addView(options, texts, "One of rows or counters (heliograph views), flame, or difference (of --a and --b)");
    addCallTree(options, texts);
    addDifference(options, texts);
    addInlining(options, texts);
    options.value("-o,--output", texts.output, "FILE", "The file to write: .png or .svg");
    options.value("--size", texts.size, "WxH", "In pixels before scaling; by itself 1600 wide and as high as its rows");
    options.value("--theme", texts.theme, "NAME", "dark or light");
    options.value("--scale", texts.scale, "N", "Pixels a point, as on a high-density screen");
}

} // namespace

extern const Command renderCommand;
const Command renderCommand{110, "render", "A view as a picture (works with no display)", addOptions, nullptr, missing, run};

} // namespace helio
