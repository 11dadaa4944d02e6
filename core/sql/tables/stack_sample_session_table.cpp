#include "core/sql/engine/list_table.h"
#include "core/sql/tables/table_factory.h"

namespace helio::sql {
namespace {

struct SessionRow {
    std::int64_t id = 0;
    SampleSession session;
};

std::unique_ptr<Table> makeSessions(const Recording& recording)
{
    using Row = SessionRow;
    std::vector<ListColumn<Row>> columns;
    columns.push_back({{"id", ColumnType::Integer, Search::Equal, true},
                       [](const Row& row, ValueSink sink) { sink.integer(row.id); },
                       [](const Row& row) { return row.id; }});
    columns.push_back({{"source", ColumnType::Text}, [](const Row& row, ValueSink sink) { sink.text(row.session.profiler); }});
    columns.push_back({{"timebase_unit", ColumnType::Text}, [](const Row& row, ValueSink sink) { sink.textOrNull(row.session.unit); }});
    columns.push_back({{"cmdline", ColumnType::Text}, [](const Row& row, ValueSink sink) { sink.textOrNull(row.session.command); }});
    columns.push_back({{"trace_id"}, [](const Row& row, ValueSink sink) { sink.integer(row.session.trace); }});
    return std::make_unique<ListTable<Row>>(std::move(columns), static_cast<double>(recording.samples->sessions().size()),
                                            [recording](const std::stop_token&) {
                                                std::vector<Row> rows;
                                                for (const SampleSession& session : recording.samples->sessions())
                                                    rows.push_back({static_cast<std::int64_t>(rows.size()), session});
                                                return rows;
                                            });
}

} // namespace

/// The profilers of the recordings.
extern const TableFactory stackSampleSessionTable;
const TableFactory stackSampleSessionTable{"stack_sample_session", makeSessions};

} // namespace helio::sql
