#include "core/query/rows/messages.h"
#include "core/sql/engine/list_table.h"
#include "core/sql/tables/table_factory.h"

#include <string_view>

namespace helio::sql {
namespace {

/// Returns the severity of a message in the words of the table `stats`, which has none for warnings.
std::string_view severityOf(const Message& message)
{
    if (message.kind.starts_with("lost-"))
        return "data_loss";
    return message.severity == Diagnostic::Severity::Info ? "info" : "error";
}

std::unique_ptr<Table> makeStats(const Recording& recording)
{
    const auto writeNull = [](const Message&, ValueSink) {};
    std::vector<ListColumn<Message>> columns;
    columns.push_back({{"name", ColumnType::Text}, [](const Message& message, ValueSink sink) { sink.text(message.kind); }});
    columns.push_back({{"key"}, writeNull});
    columns.push_back({{"idx"}, writeNull});
    columns.push_back({{"severity", ColumnType::Text}, [](const Message& message, ValueSink sink) { sink.text(severityOf(message)); }});
    columns.push_back({{"source", ColumnType::Text}, [](const Message&, ValueSink sink) { sink.text("analysis"); }});
    columns.push_back({{"value"}, [](const Message& message, ValueSink sink) { sink.integer(static_cast<std::int64_t>(message.count)); }});
    columns.push_back({{"description", ColumnType::Text}, [](const Message& message, ValueSink sink) { sink.text(message.text); }});
    columns.push_back({{"machine_id"}, writeNull});
    return std::make_unique<ListTable<Message>>(std::move(columns), 20, [recording] { return messages(recording.timeline()); });
}

} // namespace

/// Losses, damage and missing events of the recording, as the window's messages name them.
extern const TableFactory statsTable;
const TableFactory statsTable{"stats", makeStats};

} // namespace helio::sql
