#include "core/experiment/timeline.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/messages.h"
#include "core/query/rows/statistics.h"
#include "core/sql/engine/list_table.h"
#include "core/sql/tables/table_factory.h"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace helio::sql {
namespace {

struct StatRow {
    std::string name;
    std::int64_t index = -1; ///< Number of the CPU; -1 if the row belongs to no CPU.
    std::string_view severity;
    std::string_view source; ///< "trace" if the recording has the number, "analysis" if it was found while reading.
    std::uint64_t value = 0;
    std::string description;
    std::int64_t host = -1;
    std::int64_t trace = -1;
};

/// Returns the severity of a message in the words of the table `stats`, which has none for warnings.
std::string_view severityOf(const Message& message)
{
    if (message.kind.starts_with("lost-"))
        return "data_loss";
    return message.severity == Diagnostic::Severity::Info ? "info" : "error";
}

/// Returns the name that the tables of the field give to lost events of a CPU; empty if they have none for the format.
std::string_view lossNameFor(std::string_view format)
{
    if (format == "perf.data")
        return "perf_cpu_lost_records";
    const bool isFtrace = format == "trace.dat" || format == "ftrace text";
    return isFtrace ? "ftrace_cpu_overrun_delta" : std::string_view();
}

/// Appends the numbers of lost events by CPU.
void appendLosses(const Timeline& timeline, std::vector<StatRow>& rows)
{
    TimeRange all = rangeOf(timeline);
    all.end += Duration(1);
    std::map<std::pair<std::uint32_t, std::int32_t>, std::uint64_t> lost; // Keyed by trace and CPU.
    for (const LossRange& loss : losses(timeline, all))
        lost[{loss.trace, loss.cpu}] += loss.events;
    for (const auto& [place, events] : lost) {
        const TimelineTrace& trace = timeline.traces[place.first];
        if (const std::string_view name = lossNameFor(trace.trace->info().format); !name.empty() && events > 0)
            rows.push_back({std::string(name), place.second, "data_loss", "trace", events, "Events that the kernel could not keep",
                            trace.host, place.first});
    }
}

std::vector<StatRow> statsOf(const Timeline& timeline)
{
    std::vector<StatRow> rows;
    for (const Message& message : messages(timeline))
        rows.push_back({message.kind, -1, severityOf(message), "analysis", message.count, message.text});
    appendLosses(timeline, rows);
    return rows;
}

std::unique_ptr<Table> makeStats(const Recording& recording)
{
    using Row = StatRow;
    std::vector<ListColumn<Row>> columns;
    columns.push_back({{"name", ColumnType::Text}, [](const Row& row, ValueSink sink) { sink.text(row.name); }});
    columns.push_back({{"key"}, [](const Row&, ValueSink) {}}); // A number that only the trace processor itself gives.
    columns.push_back({{"idx"}, [](const Row& row, ValueSink sink) { sink.id(row.index); }});
    columns.push_back({{"severity", ColumnType::Text}, [](const Row& row, ValueSink sink) { sink.text(row.severity); }});
    columns.push_back({{"source", ColumnType::Text}, [](const Row& row, ValueSink sink) { sink.text(row.source); }});
    columns.push_back({{"value"}, [](const Row& row, ValueSink sink) { sink.integer(static_cast<std::int64_t>(row.value)); }});
    columns.push_back({{"description", ColumnType::Text}, [](const Row& row, ValueSink sink) { sink.text(row.description); }});
    columns.push_back({{"machine_id"}, [](const Row& row, ValueSink sink) { sink.id(row.host); }});
    columns.push_back({{"trace_id"}, [](const Row& row, ValueSink sink) { sink.id(row.trace); }});
    return std::make_unique<ListTable<Row>>(std::move(columns), 20,
                                            [recording](const std::stop_token&) { return statsOf(recording.timeline()); });
}

} // namespace

/// Losses, damage and missing events of the recording, as the window's messages name them, and lost events by CPU.
extern const TableFactory statsTable;
const TableFactory statsTable{"stats", makeStats};

} // namespace helio::sql
