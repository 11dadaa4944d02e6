#include "core/sql/engine/list_table.h"
#include "core/sql/tables/table_factory.h"

namespace helio::sql {
namespace {

struct ProcessRow {
    std::int64_t upid = 0;
    ProcessEntry process;
};

std::unique_ptr<Table> makeProcesses(const Recording& recording)
{
    const auto upid = [](const ProcessRow& row) { return row.upid; };
    const auto writeUpid = [](const ProcessRow& row, ValueSink sink) { sink.integer(row.upid); };
    const auto writeNull = [](const ProcessRow&, ValueSink) {}; // Not recorded by any format that is read.
    const auto timeWriter = [](std::optional<Timestamp> ProcessEntry::*time) {
        return [time](const ProcessRow& row, ValueSink sink) {
            if (const auto& at = row.process.*time)
                sink.integer(nanoseconds(*at));
        };
    };
    std::vector<ListColumn<ProcessRow>> columns;
    columns.push_back({{"id", ColumnType::Integer, Search::Equal, true}, writeUpid, upid});
    columns.push_back({{"upid", ColumnType::Integer, Search::Equal, true}, writeUpid, upid});
    columns.push_back({{"pid", ColumnType::Integer, Search::Equal},
                       [](const ProcessRow& row, ValueSink sink) { sink.id(row.process.pid); },
                       [](const ProcessRow& row) { return std::int64_t{row.process.pid}; }});
    columns.push_back({{"name", ColumnType::Text}, [](const ProcessRow& row, ValueSink sink) { sink.textOrNull(row.process.name); }});
    columns.push_back({{"start_ts"}, timeWriter(&ProcessEntry::start)});
    columns.push_back({{"end_ts"}, timeWriter(&ProcessEntry::end)});
    columns.push_back({{"parent_upid"}, [](const ProcessRow& row, ValueSink sink) {
                           if (row.process.parent)
                               sink.integer(*row.process.parent);
                       }});
    columns.push_back({{"uid"}, writeNull});
    columns.push_back({{"android_appid"}, writeNull});
    columns.push_back({{"android_user_id"}, writeNull});
    columns.push_back({{"cmdline", ColumnType::Text}, writeNull});
    columns.push_back({{"arg_set_id"}, writeNull});
    columns.push_back({{"machine_id"}, [](const ProcessRow& row, ValueSink sink) { sink.integer(row.process.host); }});
    return std::make_unique<ListTable<ProcessRow>>(std::move(columns), static_cast<double>(recording.things->processes().size()),
                                                   [recording](const std::stop_token&) {
                                                       std::vector<ProcessRow> rows;
                                                       for (const ProcessEntry& process : recording.things->processes())
                                                           rows.push_back({static_cast<std::int64_t>(rows.size()), process});
                                                       return rows;
                                                   });
}

} // namespace

extern const TableFactory processTable;
const TableFactory processTable{"process", makeProcesses};

} // namespace helio::sql
