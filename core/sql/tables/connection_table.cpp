#include "core/network/connections.h"
#include "core/sql/engine/list_table.h"
#include "core/sql/tables/table_factory.h"

#include <array>

namespace helio::sql {
namespace {

struct ConnectionRow {
    std::int64_t id = 0;
    const ConnectionFacts* facts = nullptr;
};

using Columns = std::vector<ListColumn<ConnectionRow>>;

void writeDuration(std::optional<Duration> duration, ValueSink sink)
{
    if (duration)
        sink.integer(duration->count());
}

void addCount(Columns& columns, std::string_view name, std::uint64_t FlowCounts::*count, ConnectionEnd ConnectionFacts::*end,
              bool needsLengths = false)
{
    columns.push_back({{name}, [=](const ConnectionRow& row, ValueSink sink) {
                           if (!needsLengths || row.facts->hasLengths)
                               sink.integer(static_cast<std::int64_t>((row.facts->*end).counts.*count));
                       }});
}

void addThread(Columns& columns, std::string_view name, const Recording& recording, ConnectionEnd ConnectionFacts::*end)
{
    columns.push_back({{name}, [=, things = recording.things](const ConnectionRow& row, ValueSink sink) {
                           const ConnectionEnd& it = row.facts->*end;
                           if (it.host == ConnectionEnd::NoHost || it.tid < 0)
                               return;
                           if (const auto thread = things->threadWithTid(it.host, it.tid, row.facts->range.begin))
                               sink.integer(*thread);
                       }});
}

/// Adds the columns of one end of a connection.
void addEnd(Columns& columns, const std::array<std::string_view, 13>& names, const Recording& recording,
            ConnectionEnd ConnectionFacts::*end)
{
    columns.push_back(
        {{names[0], ColumnType::Text}, [=](const ConnectionRow& row, ValueSink sink) { sink.textOrNull((row.facts->*end).address); }});
    columns.push_back({{names[1]}, [=](const ConnectionRow& row, ValueSink sink) {
                           if (const std::uint32_t host = (row.facts->*end).host; host != ConnectionEnd::NoHost)
                               sink.integer(host);
                       }});
    addThread(columns, names[2], recording, end);
    columns.push_back({{names[3], ColumnType::Text},
                       [=](const ConnectionRow& row, ValueSink sink) { sink.textOrNull(wordOf((row.facts->*end).ownerEvidence)); }});
    addCount(columns, names[4], &FlowCounts::packets, end);
    addCount(columns, names[5], &FlowCounts::bytes, end, true);
    addCount(columns, names[6], &FlowCounts::payloadBytes, end, true);
    addCount(columns, names[7], &FlowCounts::retransmissions, end, true);
    addCount(columns, names[8], &FlowCounts::matched, end);
    columns.push_back({{names[9]}, [=](const ConnectionRow& row, ValueSink sink) { writeDuration((row.facts->*end).median, sink); }});
    columns.push_back({{names[10]}, [=](const ConnectionRow& row, ValueSink sink) { writeDuration((row.facts->*end).p99, sink); }});
    columns.push_back(
        {{names[11], ColumnType::Text}, [=](const ConnectionRow& row, ValueSink sink) { sink.textOrNull((row.facts->*end).translated); }});
    columns.push_back({{names[12]}, [=](const ConnectionRow& row, ValueSink sink) {
                           if (const std::int32_t tid = (row.facts->*end).tid; tid >= 0)
                               sink.integer(tid);
                       }});
}

std::unique_ptr<Table> makeConnections(const Recording& recording)
{
    const auto id = [](const ConnectionRow& row) { return row.id; };
    Columns columns;
    columns.push_back(
        {{"id", ColumnType::Integer, Search::Equal, true}, [](const ConnectionRow& row, ValueSink sink) { sink.integer(row.id); }, id});
    columns.push_back({{"ts"}, [](const ConnectionRow& row, ValueSink sink) { sink.integer(nanoseconds(row.facts->range.begin)); }});
    columns.push_back({{"dur"}, [](const ConnectionRow& row, ValueSink sink) {
                           sink.integer((row.facts->range.duration() - Duration(1)).count()); // The range ends just after the last packet.
                       }});
    columns.push_back(
        {{"protocol", ColumnType::Text}, [](const ConnectionRow& row, ValueSink sink) { sink.textOrNull(row.facts->protocol); }});
    addEnd(columns,
           {"from_address", "from_host_id", "from_utid", "from_known_by", "from_packets", "from_bytes", "from_payload",
            "from_retransmitted", "from_matched", "from_p50_ns", "from_p99_ns", "from_translated", "from_tid"},
           recording, &ConnectionFacts::from);
    addEnd(columns,
           {"to_address", "to_host_id", "to_utid", "to_known_by", "to_packets", "to_bytes", "to_payload", "to_retransmitted", "to_matched",
            "to_p50_ns", "to_p99_ns", "to_translated", "to_tid"},
           recording, &ConnectionFacts::to);
    columns.push_back({{"syn_ts"}, [](const ConnectionRow& row, ValueSink sink) {
                           if (row.facts->syn)
                               sink.integer(nanoseconds(*row.facts->syn));
                       }});
    columns.push_back({{"syn_ack_ns"}, [](const ConnectionRow& row, ValueSink sink) { writeDuration(row.facts->answered, sink); }});
    columns.push_back({{"ack_ns"}, [](const ConnectionRow& row, ValueSink sink) { writeDuration(row.facts->acknowledged, sink); }});
    columns.push_back({{"handshake_ns"}, [](const ConnectionRow& row, ValueSink sink) { writeDuration(row.facts->handshake(), sink); }});
    columns.push_back(
        {{"closed", ColumnType::Text}, [](const ConnectionRow& row, ValueSink sink) { sink.textOrNull(wordOf(row.facts->ending)); }});
    columns.push_back({{"error_ns"}, [](const ConnectionRow& row, ValueSink sink) {
                           const bool isMatched = row.facts->from.median || row.facts->to.median;
                           if (isMatched && row.facts->error != Duration::max())
                               sink.integer(row.facts->error.count());
                       }});
    return std::make_unique<ListTable<ConnectionRow>>(std::move(columns), 1'000, [recording](const std::stop_token& stop) {
        std::vector<ConnectionRow> rows;
        for (const ConnectionFacts& facts : recording.connections->all(stop))
            rows.push_back({static_cast<std::int64_t>(rows.size()), &facts});
        return rows;
    });
}

} // namespace

/// Network connections, in the order of their beginning.
extern const TableFactory connectionTable;
const TableFactory connectionTable{"connection", makeConnections};

} // namespace helio::sql
