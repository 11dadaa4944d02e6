#include "app/cli/command.h"
#include "app/cli/commands/run_table.h"
#include "app/cli/output/field_output.h"
#include "core/event_model/segment_fields.h"
#include "core/query/rows/arrows.h"

#include <map>

namespace helio {
namespace {

struct LinksOptions {
    RowTableOptions table{"links"};

    void addTo(OptionList& options)
    {
        table.addTo(options, RowFilterHelp);
        table.format.addTo(options);
    }
    std::string missing() const { return table.missingTraceOrView(); }
    Status read() { return table.read(); }
};

/// Returns the detail of a link. For a wake-up: the CPU and interrupt in which it happened, the target CPU of the event, and the CPU on
/// which the thread ran afterwards, if known: "cpu=0;context=NET_RX;target_cpu=1;ran_on=2". For any other link: Arrow::detail.
std::string linkDetail(const Arrow& arrow)
{
    if (arrow.kind != LinkKind::Wakeup)
        return arrow.detail;
    SegmentFields detail;
    if (arrow.cpu != static_cast<std::uint32_t>(NoCpu)) // A log of system calls has no CPUs.
        detail.addNumber("cpu", arrow.cpu);
    if (!arrow.detail.empty())
        detail.add("context", arrow.detail);
    if (arrow.targetCpu != NoCpu)
        detail.addNumber("target_cpu", arrow.targetCpu);
    if (arrow.ranOn != NoCpu)
        detail.addNumber("ran_on", arrow.ranOn);
    return detail.text();
}

int run(const LinksOptions& options)
{
    if (const auto done = checkRowFilter(options.table.selection); !done)
        return failWith(done.error());
    const auto fill = [&](const OpenedExperiment& opened, const std::vector<std::string>& views, TableWriter& table) {
        const Timeline& timeline = *opened.timeline;
        const RowSelection selection(options.table.selection, timeline);
        // Clip the window to the recorded time, because adding a clock's offset to extreme times would overflow.
        const TimeRange window = TimeRange{timeline.range.begin, timeline.range.end + Duration(1)}.clippedTo(opened.window);
        for (const std::string& view : views) {
            std::map<TrackRef, std::string> known; // Names of all rows of the view, keyed by row; `chosen` has the selected rows only.
            for (const Row& row : rows(timeline, view))
                known[row.ref] = nameOf(timeline, row, options.table.format.output);
            std::map<TrackRef, bool> chosen;
            for (const Row& row : selection.rowsOf(view))
                // Skip the rows of groups. Their reference is invalid and would match all links that begin or end on no row.
                if (row.ref.isValid())
                    chosen[row.ref] = true;
            // Cells are empty for links to or from rows outside this view, e.g. from a CPU whose interrupt woke a thread.
            const auto trace = [&](TrackRef ref) { return known.contains(ref) ? Cell::integer(traceOf(timeline, ref)) : Cell(); };
            const auto id = [&](TrackRef ref) { return known.contains(ref) ? Cell(known[ref]) : Cell(); };
            if (window.isEmpty())
                continue;
            for (ArrowWalk walk(timeline, linkKindsInView(timeline, view), window); walk.next();) {
                const Arrow arrow = walk.arrow();
                if (chosen.contains(arrow.from) || chosen.contains(arrow.to))
                    table.row({kindOf(timeline, arrow).id, trace(arrow.from), id(arrow.from), arrow.fromTime, trace(arrow.to), id(arrow.to),
                               arrow.toTime, linkDetail(arrow)});
            }
        }
    };
    return runTable(options.table, {"kind", "from_trace", "from_row", "from_ns", "to_trace", "to_row", "to_ns", "detail"}, fill);
}

} // namespace

extern const Command linksCommand;
const Command linksCommand{70, "links", "Print links between rows: wake-ups, switches, packets", callOf<LinksOptions, run>,
                           R"(heliograph links TRACE --view control-flow --thread 1234
heliograph links WEB DB --view control-flow --begin +1s --end +1.1s --json
)"};

} // namespace helio
