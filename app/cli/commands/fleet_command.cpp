#include "app/cli/command.h"
#include "app/cli/fleet/fleet_options.h"
#include "app/cli/output/redirection.h"
#include "app/cli/selection/open_experiment.h"
#include "app/cli/sql/sql_prompt.h"
#include "core/fleet/catalogue.h"

namespace helio {
namespace {

int querySummaries(const FleetOptions& options)
{
    const auto catalogue = fleet::openForQueries(options.catalogue);
    if (!catalogue)
        return failWith(catalogue.error());
    const Status done = printResult(**catalogue, options.statements, options.format.output, commandStop());
    return done ? int(ExitDone) : failWith(done.error());
}

int run(const FleetOptions& options)
{
    switch (options.action) {
    case FleetOptions::Action::Add: return addToFleet(options);
    case FleetOptions::Action::Run: return runOverFleet(options);
    case FleetOptions::Action::Export: return exportFleet(options);
    case FleetOptions::Action::Sql: break;
    }
    return querySummaries(options);
}

} // namespace

extern const Command fleetCommand;
const Command fleetCommand{87,
                           "fleet",
                           "Keep a catalogue of many traces, and query all of them",
                           callOf<FleetOptions, run>,
                           R"(heliograph fleet add fleet.db traces.jsonl
heliograph fleet add fleet.db FOLDER --tag workload=checkout
heliograph fleet sql fleet.db 'SELECT host, text FROM worst_finding ORDER BY share DESC LIMIT 10'
heliograph fleet run fleet.db 'SELECT count(*) AS events FROM event' --where 'cpus >= 8'
heliograph fleet run fleet.db 'SELECT name, dur FROM slice' --merge 'SELECT name, max(dur) FROM result GROUP BY 1'
heliograph fleet export fleet.db -o lake
heliograph fleet export fleet.db 'SELECT state, sum(dur) AS ns FROM thread_state GROUP BY state' -o lake --force
)",
                           R"(add: a SOURCE is a trace or a folder of traces, which are indexed; a file FILE.jsonl that
heliograph index --summary wrote; or a text with a path in each line. A trace is added once: a newer
summary of it replaces the older one. Several processes may add at the same time.
sql: the tables are trace, finding, digest, quality and tag; the views fleet_latency and worst_finding.
run: opens --jobs traces at a time, in as many processes. The first column of the rows is `trace`,
the path. Without --merge, the default format is csv.
export: writes CSV files in folders by day and host, which DuckDB, ClickHouse and Spark read; with a
statement, also its rows over each trace, as run has them. --force replaces an earlier export only.
)"};

} // namespace helio
