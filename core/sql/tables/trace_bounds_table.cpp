#include "core/query/rows/facts.h"
#include "core/sql/engine/list_table.h"
#include "core/sql/tables/table_factory.h"

namespace helio::sql {
namespace {

std::unique_ptr<Table> makeTraceBounds(const Recording& recording)
{
    std::vector<ListColumn<TimeRange>> columns;
    columns.push_back({{"start_ts"}, [](const TimeRange& range, ValueSink sink) { sink.integer(nanoseconds(range.begin)); }});
    columns.push_back({{"end_ts"}, [](const TimeRange& range, ValueSink sink) { sink.integer(nanoseconds(range.end)); }});
    return std::make_unique<ListTable<TimeRange>>(
        std::move(columns), 1, [recording](const std::stop_token&) { return std::vector{rangeOf(recording.timeline())}; });
}

} // namespace

extern const TableFactory traceBoundsTable;
const TableFactory traceBoundsTable{"trace_bounds", makeTraceBounds};

} // namespace helio::sql
