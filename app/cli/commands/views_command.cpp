#include "app/cli/command.h"
#include "app/cli/output/table_writer.h"
#include "app/cli/selection/format_options.h"
#include "app/cli/selection/open_experiment.h"
#include "app/cli/selection/option_list.h"
#include "core/query/related/related.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/views.h"

#include <fmt/format.h>

namespace helio {
namespace {

struct ViewsOptions {
    std::vector<std::filesystem::path> traces;
    ReadingOptions reading;
    FormatOptions format{"views"};

    void addTo(OptionList& options)
    {
        addTraces(options, traces);
        reading.addTo(options);
        format.addTo(options);
    }
    std::string missing() const { return missingTrace(traces); }
    Status read()
    {
        return runInOrder([&] { return format.check(); }, [&] { return reading.read(); }, [&] { return format.read(); });
    }
};

int run(const ViewsOptions& options)
{
    OpeningOptions opening;
    opening.wantsAll = true;
    const auto opened = openExperiment(options.traces, options.reading, {}, opening);
    if (!opened)
        return failWith(opened.error());
    const auto timeline = withRowsOfStates(opened->timeline);
    if (!timeline)
        return failWith(timeline.error());
    Output output;
    {
        TableWriter table(output, options.format.output, {"id", "title", "kind", "analysis", "rows", "available", "reason"},
                          TimeStyle(hasEpoch(*opened->timeline)));
        for (const ViewFacts& view : viewFacts(**timeline))
            table.row({view.id, view.title,
                       view.isAttributeView                         ? "attributes"
                           : view.areCalls                          ? "calls"
                           : view.shape == TrackView::Shape::Curves ? "counters"
                                                                    : "states",
                       fmt::format("{}", fmt::join(view.analyses, ";")), Cell::integer(static_cast<std::int64_t>(view.rows)),
                       view.rows > 0 ? "yes" : "no", view.missing});
    }
    output.flush();
    if (output.hasFailed())
        return failWith({Error::Kind::Unreadable, output.problem()});
    return opened->hasProblems ? ExitInput : ExitDone;
}

} // namespace

extern const Command viewsCommand;
const Command viewsCommand{35, "views", "List views, for --view", callOf<ViewsOptions, run>,
                           R"(heliograph views TRACE
heliograph views TRACE --analysis machine.xml
)"};

} // namespace helio
