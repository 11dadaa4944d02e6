#include "core/experiment/timeline.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/statistics.h"
#include "core/sql/engine/list_table.h"
#include "core/sql/tables/table_factory.h"

namespace helio::sql {
namespace {

std::unique_ptr<Table> makeLosses(const Recording& recording)
{
    std::vector<ListColumn<LossRange>> columns;
    columns.push_back({{"ts"}, [](const LossRange& loss, ValueSink sink) { sink.integer(nanoseconds(loss.range.begin)); }});
    columns.push_back({{"dur"}, [](const LossRange& loss, ValueSink sink) { sink.integer(loss.range.duration().count()); }});
    columns.push_back({{"trace_id"}, [](const LossRange& loss, ValueSink sink) { sink.integer(loss.trace); }});
    columns.push_back({{"cpu"}, [recording](const LossRange& loss, ValueSink sink) {
                           sink.id(cpuId(recording.timeline().traces[loss.trace].host, loss.cpu));
                       }});
    columns.push_back({{"events"}, [](const LossRange& loss, ValueSink sink) { sink.integer(static_cast<std::int64_t>(loss.events)); }});
    columns.push_back({{"packets"}, [](const LossRange& loss, ValueSink sink) { sink.integer(static_cast<std::int64_t>(loss.packets)); }});
    columns.push_back(
        {{"host_id"}, [recording](const LossRange& loss, ValueSink sink) { sink.integer(recording.timeline().traces[loss.trace].host); }});
    return std::make_unique<ListTable<LossRange>>(std::move(columns), 100, [recording](const std::stop_token&) {
        TimeRange all = rangeOf(recording.timeline());
        all.end += Duration(1);
        return losses(recording.timeline(), all);
    });
}

} // namespace

/// Time ranges in which events were lost, so that nothing is known.
extern const TableFactory lossTable;
const TableFactory lossTable{"loss", makeLosses};

} // namespace helio::sql
