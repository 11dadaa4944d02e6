#include "app/cli/command.h"
#include "app/cli/commands/run_table.h"

namespace helio {
namespace {

int run(const CommandOptions& options)
{
    if (const auto done = checkRowFilter(options); !done)
        return failWith(done.error());
    const auto fill = [&](const OpenedExperiment& opened, const std::vector<std::string>& views, TableWriter& table) {
        const Timeline& timeline = *opened.timeline;
        const RowSelection selection(options, timeline);
        for (const std::string& view : views) {
            const auto all = rows(timeline, view);
            for (const Row& row : all) {
                if (!selection.selects(row) || (row.ref.isValid() && !row.life.overlaps(opened.window)))
                    continue;
                const bool isGroup = !row.ref.isValid();
                const std::string parent = row.parent >= 0 ? all[static_cast<std::size_t>(row.parent)].id : std::string();
                const std::string host = row.host < timeline.hosts.size() ? timeline.hosts[row.host].name : std::string();
                table.row({view, row.id, parent.empty() ? Cell() : Cell(parent), row.kind, row.label, host,
                           isGroup ? Cell() : Cell::integer(row.trace), Cell::id(row.pid), Cell::id(row.tid), Cell::id(row.cpu),
                           isGroup ? Cell() : Cell(row.life.begin), isGroup ? Cell() : Cell(row.life.end)});
            }
        }
    };
    return runTable(options, {"view", "id", "parent", "kind", "label", "host", "trace", "pid", "tid", "cpu", "begin_ns", "end_ns"}, fill);
}

void addOptions(OptionList& options, OptionTexts& texts)
{
    addTraces(options, texts);
    addReading(options, texts);
    addSelection(options, texts, RowFilterHelp);
    addView(options, texts);
}

} // namespace

extern const Command tracksCommand;
const Command tracksCommand{40, "tracks", "The rows of a view", addOptions, tableFormats, missingTrace, run};

} // namespace helio
