#include "core/sql/open_database.h"

#include "core/sql/functions/scalar_functions.h"
#include "core/sql/table_functions/table_functions.h"
#include "core/sql/tables/table_factory.h"
#include "core/sql/tables/views.h"

namespace helio::sql {

namespace {

/// Returns how sums of slices are found in the table slice_totals.
SumTable sliceSums()
{
    SumTable table;
    table.summed = {"slice", "slices"};
    table.sums = "slice_totals";
    table.groups = {"track_id", "name"};
    table.value = "dur";
    table.count = "slices";
    table.total = "total_dur";
    table.least = "shortest_dur";
    table.most = "longest_dur";
    return table;
}

} // namespace

Result<std::unique_ptr<Database>> openDatabase(const std::shared_ptr<const Timeline>& timeline)
{
    auto database = Database::create();
    if (!database)
        return database.error();
    Recording recording;
    recording.things = std::make_shared<const RecordedThings>(timeline);
    recording.scheduling = std::make_shared<const Scheduling>(recording.things);
    recording.slices = std::make_shared<const Slices>(recording.things);
    recording.counters =
        std::make_shared<const std::vector<CounterTrack>>(counterTracks(*recording.things, recording.slices->trackIdEnd()));
    recording.lost = std::make_shared<const LostEventTimes>(*timeline, TimeRange{Timestamp::min(), Timestamp::max()});
    recording.connections = std::make_shared<const RecordedConnections>(timeline);
    recording.complete = std::make_shared<const TimelineWithRows>(timeline);
    recording.samples = std::make_shared<const Samples>(recording.things);
    recording.stacks = std::make_shared<const RecordedStacks>(recording.samples);
    for (const TableFactory* factory : tableFactories())
        if (const Status added = (*database)->addTable(factory->name, factory->make(recording)); !added)
            return added.error();
    for (const TableFactory* factory : tableFunctions())
        if (const Status added = (*database)->addTable(factory->name, factory->make(recording)); !added)
            return added.error();
    for (Function& function : scalarFunctions(recording))
        if (const Status added = (*database)->addFunction(std::move(function)); !added)
            return added.error();
    if (const Status added = (*database)->addViews(viewStatements()); !added)
        return added.error();
    (*database)->setSums(sliceSums());
    return database;
}

} // namespace helio::sql
