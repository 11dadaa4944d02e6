#include "core/sql/engine/list_table.h"
#include "core/sql/tables/table_factory.h"

namespace helio::sql {
namespace {

struct ThreadRow {
    std::int64_t utid = 0;
    ThreadEntry thread;
};

void writeTime(const std::optional<Timestamp>& time, ValueSink sink)
{
    if (time)
        sink.integer(nanoseconds(*time));
}

std::unique_ptr<Table> makeThreads(const Recording& recording)
{
    const auto utid = [](const ThreadRow& row) { return row.utid; };
    const auto upid = [](const ThreadRow& row) { return std::int64_t{row.thread.process}; };
    const auto tid = [](const ThreadRow& row) { return std::int64_t{row.thread.tid}; };
    const auto writeUtid = [](const ThreadRow& row, ValueSink sink) { sink.integer(row.utid); };
    std::vector<ListColumn<ThreadRow>> columns;
    columns.push_back({{"id", ColumnType::Integer, Search::Equal, true}, writeUtid, utid});
    columns.push_back({{"utid", ColumnType::Integer, Search::Equal, true}, writeUtid, utid});
    columns.push_back(
        {{"tid", ColumnType::Integer, Search::Equal}, [](const ThreadRow& row, ValueSink sink) { sink.integer(row.thread.tid); }, tid});
    columns.push_back({{"name", ColumnType::Text}, [](const ThreadRow& row, ValueSink sink) { sink.textOrNull(row.thread.name); }});
    columns.push_back({{"start_ts"}, [](const ThreadRow& row, ValueSink sink) { writeTime(row.thread.start, sink); }});
    columns.push_back({{"end_ts"}, [](const ThreadRow& row, ValueSink sink) { writeTime(row.thread.end, sink); }});
    columns.push_back({{"upid", ColumnType::Integer, Search::Equal},
                       [](const ThreadRow& row, ValueSink sink) { sink.integer(row.thread.process); },
                       upid});
    columns.push_back({{"is_main_thread"}, [](const ThreadRow& row, ValueSink sink) { sink.integer(row.thread.isMain ? 1 : 0); }});
    columns.push_back({{"is_idle"}, [](const ThreadRow& row, ValueSink sink) { sink.integer(row.thread.isIdle ? 1 : 0); }});
    columns.push_back({{"machine_id"}, [](const ThreadRow& row, ValueSink sink) { sink.integer(row.thread.host); }});
    columns.push_back({{"arg_set_id"}, [](const ThreadRow&, ValueSink) {}}); // Not recorded by any format that is read.
    return std::make_unique<ListTable<ThreadRow>>(std::move(columns), static_cast<double>(recording.things->threads().size()),
                                                  [recording](const std::stop_token&) {
                                                      std::vector<ThreadRow> rows;
                                                      for (const ThreadEntry& thread : recording.things->threads())
                                                          rows.push_back({static_cast<std::int64_t>(rows.size()), thread});
                                                      return rows;
                                                  });
}

} // namespace

extern const TableFactory threadTable;
const TableFactory threadTable{"thread", makeThreads};

} // namespace helio::sql
