#include "core/experiment/timeline.h"
#include "core/sql/engine/list_table.h"
#include "core/sql/tables/table_factory.h"

namespace helio::sql {
namespace {

struct HostRow {
    HostId id = 0;
    const TimelineHost* host = nullptr;
    bool isReference = false;
};

std::unique_ptr<Table> makeHosts(const Recording& recording)
{
    std::vector<ListColumn<HostRow>> columns;
    columns.push_back({{"id", ColumnType::Integer, Search::Equal, true},
                       [](const HostRow& row, ValueSink sink) { sink.integer(row.id); },
                       [](const HostRow& row) { return std::int64_t{row.id}; }});
    columns.push_back({{"name", ColumnType::Text}, [](const HostRow& row, ValueSink sink) { sink.text(row.host->shownName()); }});
    columns.push_back({{"clock_id", ColumnType::Text}, [](const HostRow& row, ValueSink sink) { sink.text(row.host->id); }});
    columns.push_back({{"is_reference"}, [](const HostRow& row, ValueSink sink) { sink.integer(row.isReference ? 1 : 0); }});
    columns.push_back({{"is_synchronized"}, [](const HostRow& row, ValueSink sink) { sink.integer(row.host->isSynchronized ? 1 : 0); }});
    columns.push_back({{"clock_offset_ns"}, [](const HostRow& row, ValueSink sink) { sink.integer(row.host->clock.offset().count()); }});
    columns.push_back({{"clock_error_ns"}, [](const HostRow& row, ValueSink sink) {
                           if (const auto points = row.host->clock.points(); !points.empty())
                               sink.integer(points.front().error.count());
                       }});
    return std::make_unique<ListTable<HostRow>>(std::move(columns), static_cast<double>(recording.timeline().hosts.size()),
                                                [recording](const std::stop_token&) {
                                                    const Timeline& timeline = recording.timeline();
                                                    std::vector<HostRow> rows;
                                                    for (HostId host = 0; host < timeline.hosts.size(); ++host)
                                                        rows.push_back({host, &timeline.hosts[host], host == timeline.reference});
                                                    return rows;
                                                });
}

} // namespace

extern const TableFactory hostTable;
const TableFactory hostTable{"host", makeHosts};

} // namespace helio::sql
