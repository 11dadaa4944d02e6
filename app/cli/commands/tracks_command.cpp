#include "app/cli/command.h"
#include "app/cli/commands/run_table.h"
#include "core/query/rows/row_notes.h"

namespace helio {
namespace {

struct TracksOptions {
    RowTableOptions table{"tracks"};

    void addTo(OptionList& options)
    {
        table.addTo(options, RowFilterHelp);
        table.format.addTo(options);
    }
    std::string missing() const { return table.missing(); }
    Status read() { return table.read(); }
};

int run(const TracksOptions& options)
{
    if (const auto done = checkRowFilter(options.table.selection); !done)
        return failWith(done.error());
    const auto fill = [&](const OpenedExperiment& opened, const std::vector<std::string>& views, TableWriter& table) {
        const Timeline& timeline = *opened.timeline;
        const RowSelection selection(options.table.selection, timeline);
        for (const std::string& view : views) {
            const auto all = rows(timeline, view);
            for (const Row& row : all) {
                if (!selection.selects(row) || (row.ref.isValid() && !row.life.overlaps(opened.window)))
                    continue;
                const bool isGroup = !row.ref.isValid();
                const std::string parent = row.parent >= 0 ? all[static_cast<std::size_t>(row.parent)].id : std::string();
                const bool isOfAll = row.ref.isValid() && hasNoHost(timeline, row.ref);
                const std::string host = !isOfAll && row.host < timeline.hosts.size() ? timeline.hosts[row.host].name : std::string();
                table.row({view, row.id, parent.empty() ? Cell() : Cell(parent), row.kind, row.label, host,
                           isGroup ? Cell() : traceCell(timeline, row), Cell::id(row.pid), Cell::id(row.tid), Cell::id(row.cpu),
                           isGroup ? Cell() : Cell(row.life.begin), isGroup ? Cell() : Cell(row.life.end)});
            }
        }
    };
    return runTable(options.table, {"view", "id", "parent", "kind", "label", "host", "trace", "pid", "tid", "cpu", "begin_ns", "end_ns"},
                    fill);
}

} // namespace

extern const Command tracksCommand;
const Command tracksCommand{40, "tracks", "List the rows of a view", callOf<TracksOptions, run>,
                            R"(heliograph tracks TRACE --view control-flow --process nginx
heliograph tracks TRACE --view resources --format csv
)"};

} // namespace helio
